"""Small linear algebra for ./run, without numpy: smooth paths of cameras, and how far two sets of positions lie apart
once a similarity (rotation, scale, translation) has moved one onto the other."""

import math
import struct


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def plus(a, b):
    return [x + y for x, y in zip(a, b)]


def times(s, a):
    return [s * x for x in a]


def unit(a):
    return times(1 / math.sqrt(dot(a, a)), a)


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def mean(points):
    return [sum(p[k] for p in points) / len(points) for k in range(3)]


def apply(rows, a):
    return [dot(row, a) for row in rows]


def catmull_rom(values, t):
    """At t in [0, 1] of a closed curve through the values."""
    n = len(values)
    at = t * n
    i, u = int(math.floor(at)), at - math.floor(at)
    a, b, c, d = (values[(i + k - 1) % n] for k in range(4))
    return [
        0.5 * (2 * q + (r - p) * u + (2 * p - 5 * q + 4 * r - s) * u * u + (3 * q - p - 3 * r + s) * u**3)
        for p, q, r, s in zip(a, b, c, d)
    ]


def camera(position, forward, down, size, focal, name):
    """An entry of a cameras.json: the columns of the rotation are the camera's x, y and z in the world."""
    z = unit(forward)
    x = unit(cross(down, z))
    y = cross(z, x)
    return {
        "id": 0,
        "img_name": name,
        "width": size[0],
        "height": size[1],
        "position": position,
        "rotation": [[x[k], y[k], z[k]] for k in range(3)],
        "fx": focal,
        "fy": focal,
        "cx": size[0] / 2,
        "cy": size[1] / 2,
    }


def largest_eigenvector(matrix):
    """Of a symmetric matrix, by Jacobi's rotations."""
    n = len(matrix)
    a = [row[:] for row in matrix]
    v = [[float(i == j) for j in range(n)] for i in range(n)]
    for _ in range(60):
        p, q = max(((i, j) for i in range(n) for j in range(i + 1, n)), key=lambda ij: abs(a[ij[0]][ij[1]]))
        if abs(a[p][q]) < 1e-300:
            break
        angle = 0.5 * math.atan2(2 * a[p][q], a[q][q] - a[p][p])
        c, s = math.cos(angle), math.sin(angle)
        for k in range(n):
            a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
        for k in range(n):
            a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
        for k in range(n):
            v[k][p], v[k][q] = c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]
    best = max(range(n), key=lambda i: a[i][i])
    return [v[k][best] for k in range(n)]


def best_rotation(found, truth):
    """Rows of the rotation that turns centred `found` onto centred `truth` (Horn 1987, unit quaternions)."""
    s = [[sum(a[i] * b[j] for a, b in zip(found, truth)) for j in range(3)] for i in range(3)]
    trace = s[0][0] + s[1][1] + s[2][2]
    corner = [s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]]
    matrix = [[trace] + corner]
    for i in range(3):
        matrix.append([corner[i]] + [s[i][j] + s[j][i] - (trace if i == j else 0) for j in range(3)])
    w, x, y, z = largest_eigenvector(matrix)
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]


def position_errors(found, truth):
    """Distances between the positions of common names after the best similarity, in the units of `truth`."""
    names = sorted(set(found) & set(truth))
    middle_found, middle_truth = mean([found[n] for n in names]), mean([truth[n] for n in names])
    a = [minus(found[n], middle_found) for n in names]
    b = [minus(truth[n], middle_truth) for n in names]
    rotation = best_rotation(a, b)
    a = [apply(rotation, p) for p in a]
    scale = sum(dot(p, q) for p, q in zip(a, b)) / sum(dot(p, p) for p in a)
    return [math.dist(times(scale, p), q) for p, q in zip(a, b)]


def extent(positions):
    """1.1 times the largest distance of a camera from their mean, as training takes for the size of a scene."""
    middle = mean(positions)
    return 1.1 * max(math.dist(p, middle) for p in positions)


def model_positions(images_bin):
    """Where the cameras of a COLMAP model stand, by the photos' names."""
    data = images_bin.read_bytes()
    (count,) = struct.unpack_from("<Q", data)
    at, positions = 8, {}
    for _ in range(count):
        _, w, x, y, z, *translation, _ = struct.unpack_from("<I7dI", data, at)
        end = data.index(b"\0", at + 64)
        name = data[at + 64 : end].decode()
        (observations,) = struct.unpack_from("<Q", data, end + 1)
        at = end + 9 + 24 * observations
        columns = [
            [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
            [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
            [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
        ]
        positions[name] = times(-1, apply(columns, translation))  # -R^T t
    return positions
