"""Textures computed as arrays: grain, weave, stone, scratches, fingerprints and the room that glass reflects."""

import numpy as np


def noise(seed, size, slope=1.0, stretch=(1.0, 1.0)):
    """Tileable noise of mean 0 and deviation 1, rougher with a smaller slope; `stretch` lengthens it along x and y."""
    height, width = size
    random = np.random.default_rng(seed)
    fx = np.fft.fftfreq(width)[None, :] * width * stretch[0]
    fy = np.fft.fftfreq(height)[:, None] * height * stretch[1]
    radius = np.hypot(fx, fy)
    radius[0, 0] = 1
    spectrum = np.fft.fft2(random.standard_normal(size)) * radius**-slope
    spectrum[0, 0] = 0
    field = np.fft.ifft2(spectrum).real
    return field / field.std()


def band(seed, size, wavelength, spread=0.5):
    """Tileable noise whose features are about `wavelength` pixels long."""
    height, width = size
    random = np.random.default_rng(seed)
    frequency = np.hypot(np.fft.fftfreq(width)[None, :], np.fft.fftfreq(height)[:, None]) * wavelength
    spectrum = np.fft.fft2(random.standard_normal(size)) * np.exp(-(((frequency - 1) / spread) ** 2))
    field = np.fft.ifft2(spectrum).real
    return field / field.std()


def smooth(low, high, value):
    t = np.clip((value - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def mix(one, other, share):
    return np.asarray(one) * (1 - share[..., None]) + np.asarray(other) * share[..., None]


def linear(hex_color):
    """The linear RGB of #rrggbb."""
    srgb = np.array([int(hex_color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def wood(seed, light, dark, planks=4):
    """Boards along x. Returns color, height and roughness."""
    size = (2048, 2048)
    random = np.random.default_rng(seed)
    color = np.zeros((*size, 3))
    height = np.zeros(size)
    board = size[0] // planks
    rows = np.arange(size[0])
    rings = noise(seed, size, 1.7, (9, 1))
    streaks = noise(seed + 1, size, 0.75, (70, 1))
    pores = noise(seed + 2, size, 0.3, (34, 1))
    cloud = noise(seed + 3, size, 1.7, (3, 1))
    for plank in range(planks):
        at = slice(plank * board, (plank + 1) * board)
        shift = int(random.integers(0, 2048))
        r, s, p, c = (np.roll(field, shift, axis=1)[at] for field in (rings, streaks, pores, cloud))
        rise = (rows[at] - rows[at][0])[:, None] / board
        # Rings are close where the board was cut across them, wide where along.
        bow = np.abs(rise - random.uniform(-0.1, 1.1)) ** random.uniform(0.7, 1.6) * random.uniform(4, 9)
        phase = (bow + r * 0.42) % 1
        figure = phase**2.2 * smooth(1.0, 0.93, phase)
        share = 0.36 * figure + 0.13 * s + 0.09 * c + 0.26 + random.uniform(-0.1, 0.1)
        pore = smooth(1.2, 2.4, p + 0.35 * s + 0.5 * figure)
        color[at] = mix(linear(light), linear(dark), np.clip(share, 0, 1)) * (1 - 0.45 * pore[..., None])
        height[at] = -pore * 0.8 + 0.15 * s
        edge = np.minimum(rise, 1 - rise) * board
        seam = smooth(5, 0, edge) * np.ones_like(s)
        color[at] *= (1 - 0.75 * seam)[..., None]
        height[at] -= 5 * seam
    return color, height, np.clip(0.42 + 0.05 * streaks - 0.04 * cloud, 0.2, 0.8)


def cloth(seed, hex_color, threads=190, slub=1.0):
    """A plain weave."""
    size = (2048, 2048)
    y, x = np.mgrid[0:2048, 0:2048] / 2048
    wobble = noise(seed, size, 1.8)
    warp_width = noise(seed + 1, size, 0.9, (0.02, 40)) * 0.22 * slub
    weft_width = noise(seed + 2, size, 0.9, (40, 0.02)) * 0.22 * slub
    u = x * threads + wobble * 0.35
    v = y * threads + np.roll(wobble, 700, 0) * 0.35
    over = (np.floor(u) + np.floor(v)) % 2
    round_u = np.sqrt(np.clip(1 - (np.abs((u % 1) - 0.5) * 2 / (1 + 0.12 * warp_width)) ** 2, 0, 1))
    round_v = np.sqrt(np.clip(1 - (np.abs((v % 1) - 0.5) * 2 / (1 + 0.12 * weft_width)) ** 2, 0, 1))
    warp = round_u * (0.62 + 0.38 * np.sin(np.pi * (v % 1)) * over)
    weft = round_v * (0.62 + 0.38 * np.sin(np.pi * (u % 1)) * (1 - over))
    height = np.maximum(warp, weft)
    tone = np.where(warp > weft, warp_width, weft_width) * 0.3 + noise(seed + 3, size, 0.5) * 0.05
    color = linear(hex_color) * np.clip((0.66 + 0.34 * height) * (1 + tone), 0, 1.3)[..., None]
    return np.clip(color, 0, 1), height * 3, np.full(size, 0.9)


def stone(seed, light, dark):
    """A worktop of fine, polished stone."""
    size = (2048, 2048)
    cloud, grain, fine = noise(seed, size, 1.5), noise(seed + 1, size, 0.85), noise(seed + 2, size, 0.4)
    color = mix(linear(light), linear(dark), np.clip(0.4 + 0.12 * cloud + 0.14 * grain + 0.07 * fine, 0, 1))
    specks = smooth(2.1, 2.9, 0.8 * fine + 0.7 * np.roll(grain, 300, 0))
    color *= (1 - 0.75 * specks)[..., None]
    color = mix(color, linear("#efeae2"), 0.7 * smooth(2.2, 2.9, np.roll(0.8 * fine + 0.7 * grain, 900, 1)))
    return np.clip(color, 0, 1), fine * 0.1, np.clip(0.22 + 0.04 * grain, 0.1, 0.5)


def felt(seed, hex_color):
    """A mat of pressed fibers."""
    size = (2048, 2048)
    fibers = sum(noise(seed + turn, size, 0.7, stretch) for turn, stretch in enumerate([(6, 1), (1, 6), (3, 2)]))
    fibers = fibers / fibers.std()
    bright = smooth(1.6, 2.8, np.roll(fibers, 500, 0))
    tone = 1 + 0.2 * fibers + 0.10 * noise(seed + 9, size, 1.5)
    color = linear(hex_color) * np.clip(tone, 0.2, 2)[..., None] + 0.06 * bright[..., None]
    return np.clip(color, 0, 1), fibers * 1.2, np.full(size, 0.95)


def touched(seed, dirt):
    """What a screen or back has picked up: red is roughness added, green dust, blue the tone of smears."""
    size = (1024, 1024)
    random = np.random.default_rng(seed)
    y, x = np.mgrid[0:1024, 0:1024]
    smear = smooth(0.1, 2.0, noise(seed, size, 1.6, (1, 2.2)) + 0.25 * noise(seed + 1, size, 0.9, (8, 1)))
    prints = np.zeros(size)
    waver = noise(7, size, 1.9) * 1.2
    for _ in range(int(5 + 10 * dirt)):
        cx, cy = random.uniform(80, 944, 2)
        turn = random.uniform(-0.9, 0.9)
        patch = tuple(slice(max(0, int(c) - 56), int(c) + 56) for c in (cy, cx))
        dx, dy = x[patch] - cx, y[patch] - cy
        u, v = dx * np.cos(turn) + dy * np.sin(turn), dy * np.cos(turn) - dx * np.sin(turn)
        inside = smooth(1.0, 0.55, np.hypot(u / 52, v / 34))
        ridges = 0.5 + 0.5 * np.sin(np.hypot(u * 0.9, v * 1.3 - 14) * 1.15 + waver[patch])
        found = inside * (0.35 + 0.65 * ridges) * random.uniform(0.35, 1)
        prints[patch] = np.maximum(prints[patch], found)
    dust = np.zeros(size)
    for _ in range(int(260 * dirt)):
        cx, cy = random.integers(4, 1020, 2)
        r = random.choice([0.7, 0.9, 1.3, 1.8], p=[0.5, 0.3, 0.15, 0.05])
        patch = (slice(cy - 4, cy + 5), slice(cx - 4, cx + 5))
        dust[patch] = np.maximum(dust[patch], smooth(r + 0.6, r - 0.3, np.hypot(x[patch] - cx, y[patch] - cy)))
    for _ in range(int(9 * dirt)):
        line(dust, random, random.uniform(30, 990, 2), random.uniform(0, 6.28), random.uniform(10, 38), 0.6, 0.5, 1.2)
    return np.dstack([np.clip(dirt * (0.5 * smear + 0.9 * prints), 0, 1), dust, prints])


def line(target, random, start, direction, length, width, strength, bend=0.1):
    """Adds a thin, slightly bent, broken line to an array."""
    steps = int(length * 3)
    px, py = start
    size = target.shape[0]
    for step in range(steps):
        direction += random.normal(0, bend) * 0.03
        px += np.cos(direction) / 3
        py += np.sin(direction) / 3
        fade = np.sin(np.pi * min(1, (step + 1) / steps)) ** 0.4 * strength * random.uniform(0.55, 1)
        x0, y0 = int(px), int(py)
        for yy in range(y0 - 2, y0 + 4):
            for xx in range(x0 - 2, x0 + 4):
                if 0 <= xx < size and 0 <= yy < size:
                    near = np.hypot(xx - px, yy - py)
                    value = fade * np.clip(width - near + 0.5, 0, 1)
                    if value > target[yy, xx]:
                        target[yy, xx] = value


def scratches(seed, lines):
    """Lines (x, y, angle in degrees, length, width, strength) on a face of 1 by 1, with y upward."""
    size = 2048
    random = np.random.default_rng(seed)
    field = np.zeros((size, size))
    for x, y, angle, length, width, strength in lines:
        line(field, random, (x * size, y * size), np.radians(angle), length * size, width, strength, 0.35)
    return field


def room(evening):
    """What is around the table, as an equirectangular picture of light: a room with windows, a shelf, a door."""
    height, width = 512, 1024
    y, x = np.mgrid[0:height, 0:width]
    azimuth = (x + 0.5) / width * 2 * np.pi - np.pi
    elevation = (y + 0.5) / height * np.pi - np.pi / 2
    direction = np.dstack([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    low, high = np.array([-2.4, -2.9, -0.75]), np.array([2.2, 1.35, 1.85])
    bounds = np.where(direction > 0, high, low)
    reach = bounds / np.where(np.abs(direction) < 1e-6, 1e-6, direction)
    axis = np.argmin(reach, axis=2)
    hit = direction * np.min(reach, axis=2)[..., None]
    px, py, pz = hit[..., 0], hit[..., 1], hit[..., 2]
    light = np.zeros((height, width, 3))
    glow = np.array([1.0, 0.78, 0.5]) if evening else np.array([0.93, 0.97, 1.0])
    base = 0.13 if evening else 0.30
    source = np.array([-1.2, 0.5, 0.7]) if evening else np.array([0.2, 1.35, 0.9])
    falloff = 1 / (0.55 + 0.32 * ((hit - source) ** 2).sum(axis=2))
    north, south = (axis == 1) & (py > 0), (axis == 1) & (py < 0)
    east, west = (axis == 0) & (px > 0), (axis == 0) & (px < 0)
    floor, ceiling = (axis == 2) & (pz < 0), (axis == 2) & (pz > 0)
    light[:] = base * falloff[..., None] * np.array([0.9, 0.87, 0.8]) * glow
    light[floor] = light[floor] * np.array([0.34, 0.22, 0.13])
    light[ceiling] = light[ceiling] * 1.15

    def paint(where, color):
        light[where] = color

    def box(u, v, left, right, bottom, top):
        return (u > left) & (u < right) & (v > bottom) & (v < top)

    def window(wall, u, left, right):
        bottom, top = 0.12, 1.62
        paint(wall & box(u, pz, left - 0.09, right + 0.09, bottom - 0.09, top + 0.09), glow * base * 1.5)
        pane = wall & box(u, pz, left, right, bottom, top)
        rise = ((pz - bottom) / (top - bottom))[pane][:, None]
        if evening:
            paint(pane, np.array([0.02, 0.035, 0.08]))
        else:
            sky = np.array([11.0, 12.6, 14.6]) * (0.75 + 0.5 * rise)
            trees = np.array([1.5, 2.0, 1.0]) * (0.8 + 0.5 * np.sin(u[pane] * 19)[:, None] ** 2)
            hedge = 0.3 + 0.07 * np.sin(u[pane] * 9)[:, None] + 0.04 * np.sin(u[pane] * 31)[:, None]
            paint(pane, np.where(rise > hedge, sky, trees))
        middle = (left + right) / 2
        bars = box(u, pz, middle - 0.03, middle + 0.03, bottom, top) | box(u, pz, left, right, 1.1, 1.16)
        paint(wall & bars, glow * base * 0.9)
        for edge in (left - 0.22, right + 0.02):
            folds = 0.75 + 0.25 * np.sin(u * 55)
            curtain = wall & box(u, pz, edge, edge + 0.3, -0.6, 1.78)
            light[curtain] = (glow * (0.16 if evening else 1.5) * folds[..., None])[curtain]

    window(north, px, -1.0, 0.15)
    window(north, px, 0.75, 1.75)
    # A shelf with books, a door, a picture.
    shelf = west & box(py, pz, -2.2, -0.4, -0.75, 1.2)
    books = np.array([0.5, 0.35, 0.25]) * (0.35 + 0.65 * (np.sin(py * 83) * np.sin(py * 37 + 2) > -0.1))[..., None]
    light[shelf] = (light * books)[shelf]
    light[shelf & (np.abs((pz + 0.75) % 0.36) < 0.035)] = 0.12 * base
    door = south & box(px, pz, 0.6, 1.5, -0.75, 1.3)
    light[door] *= np.array([0.5, 0.4, 0.3])
    light[south & box(px, pz, -1.5, -0.5, 0.25, 1.0)] *= np.array([0.35, 0.42, 0.5])
    light[east & box(py, pz, -1.6, 0.6, -0.75, 0.0)] *= np.array([0.25, 0.27, 0.32])
    if evening:
        for at, radius, power in (((-1.25, 0.75, 0.62), 0.16, 46.0), ((0.7, -1.2, 1.55), 0.19, 17.0)):
            at = np.array(at) / np.linalg.norm(at)
            shade = np.degrees(np.arccos(np.clip(direction @ at, -1, 1))) < np.degrees(radius) * 0.75
            light[shade] = glow * power
    return light
