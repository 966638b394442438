"""Arithmetic on bit patterns, exact and then rounded once: what AMD's documents say of an instruction, written without a
look at the semantics under test. NAN stands for any quiet NaN; near(bits): within one unit in the last place."""
import math
import struct
from fractions import Fraction

NAN = 'nan'
INF, SIGN, QUIET_NAN, SIGNALLING_NAN = 0x7f800000, 0x80000000, 0x7fc00000, 0x7f800001
MASK32, MASK64 = 0xffffffff, 0xffffffffffffffff


def near(bits):
    return bits if bits == NAN else f'~{bits:x}'


def signed(x, bits=32):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


# ---- floats of 32 bits

def is_nan(x):
    return x & 0x7fffffff > INF


def is_signalling(x):
    return is_nan(x) and not x & 0x400000


def is_inf(x):
    return x & 0x7fffffff == INF


def is_zero(x):
    return x & 0x7fffffff == 0


def is_denormal(x):
    return 0 < x & 0x7fffffff < 0x800000


def exponent(x):
    return x >> 23 & 255


def value(x):
    """A finite float of 32 bits as a fraction."""
    fraction = x & 0x7fffff
    magnitude = Fraction(fraction, 1 << 149) if exponent(x) == 0 else Fraction(fraction | 0x800000) * Fraction(2) ** (exponent(x) - 150)
    return -magnitude if x >> 31 else magnitude


def rounded(exact, zero_sign=0):
    """A fraction as a float of 32 bits, to nearest even; zero_sign: the sign of an exact zero."""
    sign, exact = (SIGN, -exact) if exact < 0 else (0, exact)
    if exact == 0:
        return zero_sign
    scale = exact.numerator.bit_length() - exact.denominator.bit_length()
    if exact < Fraction(2) ** scale:
        scale -= 1
    unit = max(scale, -126) - 23
    steps = exact / Fraction(2) ** unit
    whole = steps.numerator // steps.denominator
    rest = steps - whole
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1):
        whole += 1
    bits = whole if unit == -149 and whole < 0x800000 else whole + ((unit + 149) << 23)
    return sign | min(bits, INF)


def add(a, b):
    if is_nan(a) or is_nan(b) or (is_inf(a) and is_inf(b) and a != b):
        return NAN
    if is_inf(a) or is_inf(b):
        return a if is_inf(a) else b
    return rounded(value(a) + value(b), a & b & SIGN if is_zero(a) and is_zero(b) else 0)


def negated(a):
    return a ^ SIGN


def multiply(a, b):
    return fused(a, b, (a ^ b) & SIGN) if not (is_nan(a) or is_nan(b)) else NAN


def without_denormal(a):
    return a & SIGN if a != NAN and is_denormal(a) else a


def multiply_add(a, b, c):
    """a * b + c, rounded twice, without denormal numbers at any place."""
    a, b, c = (without_denormal(x) for x in (a, b, c))
    product = without_denormal(multiply(a, b))
    return without_denormal(add(product, c)) if product != NAN else NAN


def fused(a, b, c):
    """a * b + c, rounded once."""
    if is_nan(a) or is_nan(b) or is_nan(c):
        return NAN
    sign = (a ^ b) & SIGN
    if is_inf(a) or is_inf(b):
        if is_zero(a) or is_zero(b) or (is_inf(c) and c & SIGN != sign):
            return NAN
        return sign | INF
    if is_inf(c):
        return c
    product = value(a) * value(b)
    zero = sign & c if product == 0 and is_zero(c) else 0
    if product != 0 and is_zero(c):  # a product that rounds to zero keeps its sign
        return rounded(product)
    return rounded(product + value(c), zero)


def chosen(a, b, positive_zero, first):
    """One of two numbers as in IEEE mode; `first`: a is the one, where both are numbers and not zero."""
    if is_signalling(a) or is_signalling(b):
        return NAN
    if is_nan(a):
        return NAN if is_nan(b) else b
    if is_nan(b):
        return a
    if is_zero(a) and is_zero(b):
        return a if (a == 0) == positive_zero else b
    return a if first() else b


def maximum(a, b):
    """V_MAX_F32 in IEEE mode."""
    return chosen(a, b, True, lambda: less(b, a) or a == b)


def minimum(a, b):
    """V_MIN_F32 in IEEE mode."""
    return chosen(a, b, False, lambda: less(a, b))


def maximum_number(a, b):
    """V_MAX_NUM_F32 of RDNA 4: a number where one of the two is one, signalling or not; +0 is above -0."""
    return chosen(quieted(a), quieted(b), True, lambda: less(b, a) or a == b)


def minimum_number(a, b):
    """V_MIN_NUM_F32 of RDNA 4."""
    return chosen(quieted(a), quieted(b), False, lambda: less(a, b))


def quieted(a):
    return a | 0x400000 if is_nan(a) else a


def ordered_key(a):
    """Grows with the number that a float stands for; -0 and +0 are one."""
    magnitude = a & 0x7fffffff
    return -magnitude if a >> 31 else magnitude


def less(a, b):
    return not is_nan(a) and not is_nan(b) and ordered_key(a) < ordered_key(b)


def flushed(a):
    return a & SIGN if is_denormal(a) else a


def from_float(x):
    """A double of Python as the nearest float of 32 bits."""
    if math.isnan(x):
        return NAN
    if math.isinf(x):
        return INF | (SIGN if x < 0 else 0)
    return rounded(Fraction(x), SIGN if math.copysign(1, x) < 0 else 0)


def reciprocal(a):
    a = flushed(a)
    if is_nan(a):
        return NAN
    if is_inf(a):
        return a & SIGN
    if is_zero(a):
        return a | INF
    return near(flushed(rounded(1 / value(a))))


def root(a):
    a = flushed(a)
    if is_nan(a) or (a & SIGN and not is_zero(a)):
        return NAN
    if is_zero(a) or is_inf(a):
        return a
    return near(from_float(math.sqrt(float(value(a)))))


def exp2(a):
    a = flushed(a)
    if is_nan(a):
        return NAN
    if is_inf(a):
        return 0 if a & SIGN else INF
    x = float(value(a))
    return near(INF if x >= 128 else 0 if x < -200 else flushed(from_float(2.0 ** x)))


def log2(a):
    a = flushed(a)
    if is_nan(a) or (a & SIGN and not is_zero(a)):
        return NAN
    if is_zero(a):
        return SIGN | INF
    return near(from_float(math.log2(float(value(a))))) if not is_inf(a) else INF


def to_integral(a, rounding):
    """rounding: a function of a fraction to an integer."""
    if is_nan(a):
        return NAN
    if is_inf(a) or is_zero(a):
        return a
    return rounded(Fraction(rounding(value(a))), a & SIGN)


def half_even(x):
    return round(x)  # Python rounds a fraction's half to even


def scaled_by_power(a, power):
    """V_LDEXP_F32."""
    if is_nan(a):
        return NAN
    if is_inf(a) or is_zero(a):
        return a
    return rounded(value(a) * Fraction(2) ** max(-400, min(400, signed(power))), a & SIGN)


def to_int(a, low, high):
    if is_nan(a):
        return 0
    if is_inf(a):
        return low if a & SIGN else high
    return max(low, min(high, int(value(a))))


def class_bit(a):
    """Number of the bit of V_CMP_CLASS_F32's mask that stands for a."""
    negative = a >> 31
    if is_signalling(a):
        return 0
    if is_nan(a):
        return 1
    if exponent(a) == 255:
        return 2 if negative else 9
    if exponent(a) > 0:
        return 3 if negative else 8
    if a & 0x7fffffff:
        return 4 if negative else 7
    return 5 if negative else 6


# ---- the steps of a division

def div_scale(s0, s1, s2):
    """V_DIV_SCALE_F32: (value, whether v_div_fmas scales back). "1 / S1 is a denormal" in 32 bits; where
    the document's 2**64 would make a huge denominator infinite, 2**-64: else division is not IEEE 754's."""
    if is_zero(s2) or is_zero(s1):
        return NAN, False

    def same(x):
        return not is_nan(s0) and not is_nan(x) and ordered_key(s0) == ordered_key(x)

    def by(power):
        return scaled_by_power(s0, power & MASK32)

    def finite(*all_of):
        return not any(is_nan(x) or is_inf(x) for x in all_of)
    plain = NAN if is_nan(s0) else s0
    if exponent(s2) - exponent(s1) >= 96:
        return (by(64) if same(s1) else plain), True
    if is_denormal(s1):
        return by(64), False
    tiny_reciprocal = finite(s1) and is_denormal(rounded(1 / value(s1)))
    tiny_quotient = finite(s1, s2) and is_denormal(rounded(value(s2) / value(s1)))
    if tiny_reciprocal and tiny_quotient:
        return (by(-64) if same(s1) else plain), True
    if tiny_reciprocal:
        return by(-64), False
    if tiny_quotient:
        return (by(64) if same(s2) else plain), True
    return (by(64) if exponent(s2) <= 23 else plain), False


def div_fmas(a, b, c, undo):
    """V_DIV_FMAS_F32: the factor undoes that of V_DIV_SCALE_F32 (the documents' 2**32 could not), and the result is rounded
    once: else the division is not IEEE 754's."""
    total = fused(a, b, c)
    if not undo or total == NAN or is_inf(a) or is_inf(b) or is_inf(c):
        return total
    exact = (value(a) * value(b) + value(c)) * Fraction(2) ** (64 if exponent(c) > 127 else -64)
    return rounded(exact, total & SIGN)


def div_fixup(quotient, denominator, numerator):
    sign = (denominator ^ numerator) & SIGN
    if is_nan(numerator) or is_nan(denominator):
        return NAN
    if (is_zero(denominator) and is_zero(numerator)) or (is_inf(denominator) and is_inf(numerator)):
        return NAN
    if is_zero(denominator) or is_inf(numerator):
        return sign | INF
    if is_inf(denominator) or is_zero(numerator):
        return sign
    if exponent(numerator) - exponent(denominator) < -150:
        return sign
    if is_nan(quotient):  # an estimate that overflowed on the way
        return sign | INF
    return sign | (quotient & 0x7fffffff)


def quotient(a, b):
    """a / b as IEEE 754 has it."""
    if is_nan(a) or is_nan(b) or (is_zero(a) and is_zero(b)) or (is_inf(a) and is_inf(b)):
        return NAN
    sign = (a ^ b) & SIGN
    if is_inf(a) or is_zero(b):
        return sign | INF
    if is_inf(b) or is_zero(a):
        return sign
    return rounded(value(a) / value(b), sign)


# ---- floats of 64 bits

def double_bits(x):
    return struct.unpack('<Q', struct.pack('<d', x))[0]


def double(x):
    return struct.unpack('<d', struct.pack('<Q', x))[0]


def double_class_bit(a):
    """Number of the bit of V_CMP_CLASS_F64's mask that stands for a."""
    x, negative = double(a), a >> 63
    if math.isnan(x):
        return a >> 51 & 1
    rank = 0 if math.isinf(x) else 3 if x == 0 else 2 if abs(x) < 2.0**-1022 else 1
    return 2 + rank if negative else 9 - rank


def add_double(a, b):
    x, y = double(a), double(b)
    if math.isnan(x) or math.isnan(y) or (math.isinf(x) and math.isinf(y) and x != y):
        return NAN
    return double_bits(x + y)  # Python's + is that of IEEE 754


def fused_double(a, b, c):
    """a * b + c, rounded once."""
    x, y, z = double(a), double(b), double(c)
    if not all(map(math.isfinite, (x, y, z))):
        product = math.nan if math.isnan(x) or math.isnan(y) or (math.isinf(x) and y == 0) or (math.isinf(y) and x == 0) else \
            math.copysign(math.inf if math.isinf(x) or math.isinf(y) else 0.0, math.copysign(1, x) * math.copysign(1, y))
        return add_double(double_bits(product), c) if not math.isnan(product) else NAN
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        product = math.copysign(0.0, math.copysign(1, x) * math.copysign(1, y))
        return double_bits(product + z if x * y == 0 and (x == 0 or y == 0) else 0.0)
    try:
        return double_bits(float(exact))
    except OverflowError:
        return double_bits(math.inf if exact > 0 else -math.inf)


def multiply_double(a, b):
    x, y = double(a), double(b)
    return NAN if math.isnan(x * y) else double_bits(x * y)


def quotient_double(a, b):
    """a / b as IEEE 754 has it; V_RCP_F64 for 1 / b, an estimate on the hardware."""
    x, y = double(a), double(b)
    if math.isnan(x) or math.isnan(y) or (x == 0 and y == 0) or (math.isinf(x) and math.isinf(y)):
        return NAN
    if y == 0:
        return double_bits(math.copysign(math.inf, math.copysign(1, x) * math.copysign(1, y)))
    return double_bits(x / y)


def div_scale_double(s0, s1, s2):
    """V_DIV_SCALE_F64, of numbers whose quotient is neither a denormal nor infinite: (value, whether to scale back)."""
    x, y, z = double(s0), double(s1), double(s2)
    if y == 0 or z == 0:
        return NAN, False
    far = (s2 >> 52 & 2047) - (s1 >> 52 & 2047) >= 768
    up = far and x == y or not far and (abs(y) < 2.0**-1022 or (s2 >> 52 & 2047) <= 53)
    return double_bits(x * 2.0**128 if up else x), far


def div_fmas_double(a, b, c, undo):
    total = fused_double(a, b, c)
    if not undo or total == NAN:
        return total
    return multiply_double(total, double_bits(2.0**128 if (c >> 52 & 2047) > 1023 else 2.0**-128))


def div_fixup_double(quotient, denominator, numerator):
    q, d, n = double(quotient), double(denominator), double(numerator)
    sign = (denominator ^ numerator) >> 63 << 63
    if math.isnan(n) or math.isnan(d) or (d == 0 and n == 0) or (math.isinf(d) and math.isinf(n)):
        return NAN
    infinite = double_bits(math.inf) | sign
    if d == 0 or math.isinf(n):
        return infinite
    if math.isinf(d) or n == 0 or (numerator >> 52 & 2047) - (denominator >> 52 & 2047) < -1075:
        return sign
    return infinite if math.isnan(q) else sign | quotient & (1 << 63) - 1


def maximum_double(a, b):
    """V_MAX_F64 of numbers and quiet NaN."""
    x, y = double(a), double(b)
    if math.isnan(x) or math.isnan(y):
        return NAN if math.isnan(x) and math.isnan(y) else b if math.isnan(x) else a
    return max(a, b, key=lambda bits: (double(bits), -(bits >> 63)))


def minimum_double(a, b):
    """V_MIN_F64."""
    x, y = double(a), double(b)
    if math.isnan(x) or math.isnan(y):
        return NAN if math.isnan(x) and math.isnan(y) else b if math.isnan(x) else a
    return min(a, b, key=lambda bits: (double(bits), -(bits >> 63)))


def double_to_int(a, low, high):
    x = double(a)
    return 0 if math.isnan(x) else int(max(float(low), min(float(high), x))) & MASK32


def root_reciprocal_double(a):
    """V_RSQ_F64, which is an estimate on the hardware: both roundings of 1 / sqrt(x) are made here."""
    x = double(a)
    if math.isnan(x) or x < 0:
        return NAN
    if x == 0:
        return double_bits(math.copysign(math.inf, x))
    return double_bits(1 / math.sqrt(x))


def widen(a):
    """V_CVT_F64_F32."""
    if is_nan(a):
        return NAN
    if is_inf(a):
        return (a & SIGN) << 32 | 0x7ff0000000000000
    return double_bits(math.copysign(float(value(a)), -1.0 if a & SIGN else 1.0))


def narrow(a):
    """V_CVT_F32_F64."""
    x, sign = double(a), a >> 63 << 31
    if math.isnan(x):
        return NAN
    return sign | INF if math.isinf(x) else sign if x == 0 else rounded(Fraction(x))


# ---- integers

def bits_of_field(x, offset, count):
    return x >> offset & ((1 << count) - 1)


def signed_field(x, offset, count):
    """S_BFE_I32: beyond bit 31 there are copies of it."""
    return sign_from_bit(bits_of_field(signed(x), offset, count), count)


def sign_from_bit(x, count):
    return signed(x, count) & MASK32 if count else 0


def first_one(x, bits=32):
    return next((i for i in range(bits) if x >> i & 1), MASK32)


def ones(x):
    return bin(x).count('1')
