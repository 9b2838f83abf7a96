"""Builds a phone or tablet from its scene description. Lengths are in centimeters; the screen faces up."""

from math import cos, pi, radians, sin, sqrt

import bmesh
import bpy
import materials as paint
import numpy as np
from mathutils import Matrix, Vector


def ring(width, height, radius, inset=0.0, segments=14):
    """The points of a rounded rectangle around the origin."""
    w, h = width / 2 - inset, height / 2 - inset
    r = max(0.01, min(radius - inset, w, h))
    corners = [(w - r, h - r, 0), (r - w, h - r, 90), (r - w, r - h, 180), (w - r, r - h, 270)]
    return [
        (x + r * cos(radians(start + 90 * step / segments)), y + r * sin(radians(start + 90 * step / segments)))
        for x, y, start in corners
        for step in range(segments + 1)
    ]


def fillet(low, high, radius, top_radius=None, steps=5):
    """Insets and heights of a side with rounded edges, from the bottom up."""
    top_radius = radius if top_radius is None else top_radius
    bottom = [(radius * (1 - sin(a)), low + radius * (1 - cos(a))) for a in angles(steps)]
    top = [(top_radius * (1 - sin(a)), high - top_radius * (1 - cos(a))) for a in reversed(angles(steps))]
    return bottom + top


def angles(steps):
    return [pi / 2 * step / steps for step in range(steps + 1)]


def make(name, points, faces, material, smooth_degrees=40):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.validate()
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    if material:
        mesh.materials.append(material)
    for polygon in mesh.polygons:
        polygon.use_smooth = True
    mesh.use_auto_smooth = True
    mesh.auto_smooth_angle = radians(smooth_degrees)
    clean = bmesh.new()
    clean.from_mesh(mesh)
    bmesh.ops.recalc_face_normals(clean, faces=clean.faces)
    clean.to_mesh(mesh)
    clean.free()
    return thing


def slab(name, width, height, radius, profile, material, segments=14):
    """A rounded plate with the insets and heights of a profile."""
    points, faces = [], []
    for inset, z in profile:
        points += [(x, y, z) for x, y in ring(width, height, radius, inset, segments)]
    count = len(points) // len(profile)
    for level in range(len(profile) - 1):
        for at in range(count):
            after = (at + 1) % count
            faces.append([level * count + at, level * count + after, (level + 1) * count + after, (level + 1) * count + at])
    faces.append(list(range(count))[::-1])
    faces.append([(len(profile) - 1) * count + at for at in range(count)])
    return make(name, points, faces, material)


def turned(name, profile, material, segments=48, closed=False):
    """A solid of revolution with radii and heights of a profile."""
    points = [(r * cos(2 * pi * at / segments), r * sin(2 * pi * at / segments), z) for r, z in profile for at in range(segments)]
    faces = []
    for level in range(len(profile) - 1):
        for at in range(segments):
            after = (at + 1) % segments
            faces.append([level * segments + at, level * segments + after, (level + 1) * segments + after, (level + 1) * segments + at])
    if closed:
        faces.append([(len(profile) - 1) * segments + at for at in range(segments)])
    return make(name, points, faces, material)


def build(device, screen, seed):
    """Returns an empty at the middle of the back, the parent of all parts."""
    mm = 0.1
    width, height, depth = device["widthMm"] * mm, device["heightMm"] * mm, device["depthMm"] * mm
    corner, rim = device["cornerMm"] * mm, device["rimMm"] * mm
    root = bpy.data.objects.new("device", None)
    bpy.context.scene.collection.objects.link(root)
    parts = []
    metal = paint.metal("frame", device, seed)
    back = paint.back(device, seed)
    round_edge = device["edge"] == "round"
    low = depth * 0.40 if round_edge else device["edgeMm"] * mm
    if device["back"] == "metal":
        low = depth * 0.32
    front_inset = min(rim, low * 0.55) if round_edge else rim
    sink = low * (1 - sqrt(1 - (1 - front_inset / low) ** 2)) if round_edge else 0
    sides = fillet(0, depth, low, min(low, depth * 0.4), 6)
    # The panels of a round edge go on with its curve: the frame ends below them.
    body = slab("frame", width, height, corner, [(inset, min(max(z, sink), depth - sink)) for inset, z in sides], metal, 20)
    body.data.materials.append(paint.plain("hole", "#050506", 0.6))
    cut_openings(body, device, width, height, depth)
    parts.append(body)
    # Panels stand in a narrow dark joint, a hair proud of the frame.
    joint = 0.012
    z_front = depth - sink
    black = paint.plain("joint", "#0a0a0b", 0.5)
    parts.append(slab("front joint", width, height, corner, [(front_inset - joint, z_front - 0.1), (front_inset - joint, z_front + 0.002)], black))
    parts.append(slab("front glass", width, height, corner, shift(panel(z_front, depth + 0.02, 0.028), front_inset), paint.front(device, screen, seed)))
    flip = Matrix.Rotation(pi, 4, "Y")
    behind = []
    if device["back"] != "metal":
        behind.append(slab("back joint", width, height, corner, [(front_inset - joint, -0.1), (front_inset - joint, 0.002 - sink)], black))
        behind.append(slab("back glass", width, height, corner, shift(panel(-sink, 0.018, 0.03), front_inset), back))
    behind += cameras(device, width, height, back, metal)
    for part in behind:
        part.matrix_world = flip @ part.matrix_world
    parts += behind
    for key in device["keys"]:
        parts.append(button(key, width, height, depth, metal))
    if device["homeButton"]:
        parts.append(home_button(device, width, height, depth))
    if device.get("scratch"):
        parts.append(scratch(device["scratch"], height, depth, seed))
    for part in parts:
        part.parent = root
    if device.get("dent"):
        dent(parts, device["dent"], width, height, depth)
    return root


def panel(edge, top, radius, steps=6):
    """A pane of glass: flat with a narrow bevel, or curved from where the frame ends."""
    if top - edge < 0.021:
        return fillet(edge - 0.08, top, 0.004, radius, 4)
    curve = [(0.2 * share, edge + (top - edge) * (1 - (1 - share) ** 2)) for share in (step / steps for step in range(steps + 1))]
    return [(0.004, edge - 0.08), (0, edge - 0.076), *curve]


def shift(profile, inset):
    return [(at + inset, z) for at, z in profile]


def button(key, width, height, depth, metal):
    long, thick = key["long"] * height, min(0.26, depth * 0.42)
    part = slab("key", thick, long, thick / 2, fillet(-0.1, 0.045, 0.01, 0.022, 3), metal, 8)
    side = 1 if key["side"] == "right" else -1
    turn = Matrix.Rotation(side * pi / 2, 4, "Y")
    part.matrix_world = Matrix.Translation((side * width / 2, height / 2 - key["at"] * height, depth / 2)) @ turn
    return part


def scratch(line, height, depth, seed):
    """A hairline of bare metal on the bottom edge."""
    random = np.random.default_rng(seed)
    steps, long = 60, line["longMm"] * 0.1
    points, faces = [], []
    wander = np.cumsum(random.normal(0, 0.0012, steps + 1))
    for step in range(steps + 1):
        share = step / steps
        x = -line["fromPortMm"] * 0.1 - long * share
        z = depth * 0.5 + (share - 0.5) * long * sin(radians(line["angle"])) + wander[step]
        wide = 0.0062 * sin(pi * share) ** 0.5 * random.uniform(0.45, 1.2)
        points += [(x, -height / 2 - 0.0015, z - wide), (x, -height / 2 - 0.0015, z + wide)]
    for step in range(steps):
        faces.append((2 * step, 2 * step + 1, 2 * step + 3, 2 * step + 2))
    return make("scratch", points, faces, paint.plain("bare", "#f4f1ea", 0.35, 0.6))


def home_button(device, width, height, depth):
    part = turned("home", [(0.56, 0), (0.56, 0.004), (0.52, 0.006), (0.5, -0.004), (0.0, -0.012)], paint.plain("ring", "#2b2c30", 0.25, 0.6))
    part.matrix_world = Matrix.Translation((0, -height / 2 + device["bezelMm"]["bottom"] * 0.05, depth + 0.02))
    return part


def cut_openings(body, device, width, height, depth):
    """Cuts the charging port, the speaker and the microphone into the bottom edge."""
    cutter = bmesh.new()

    def opening(x, wide, high, deep):
        points = ring(wide, high, min(wide, high) / 2, 0, 6)
        bottom = [cutter.verts.new((x + px, -height / 2 - 0.3, depth / 2 + py)) for px, py in points]
        top = [cutter.verts.new((x + px, -height / 2 + deep, depth / 2 + py)) for px, py in points]
        cutter.faces.new(bottom)
        cutter.faces.new(top[::-1])
        for at in range(len(points)):
            after = (at + 1) % len(points)
            cutter.faces.new([bottom[after], bottom[at], top[at], top[after]])

    port = device["port"]
    opening(0, port["widthMm"] * 0.1, port["heightMm"] * 0.1, 0.5)
    hole = min(0.13, depth * 0.2)
    for side in (-1, 1):
        holes = device["holes"]["left" if side < 0 else "right"]
        for at in range(holes):
            opening(side * (port["widthMm"] * 0.05 + device["holes"]["gapMm"] * 0.1 + at * hole * 1.62), hole, hole, 0.18)
    mesh = bpy.data.meshes.new("openings")
    bmesh.ops.recalc_face_normals(cutter, faces=cutter.faces)
    cutter.to_mesh(mesh)
    cutter.free()
    for slot in body.data.materials:
        mesh.materials.append(slot)
    for polygon in mesh.polygons:
        polygon.material_index = 1
    other = bpy.data.objects.new("openings", mesh)
    bpy.context.scene.collection.objects.link(other)
    difference = body.modifiers.new("openings", "BOOLEAN")
    difference.object, difference.operation, difference.solver = other, "DIFFERENCE", "EXACT"
    evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    cut = bpy.data.meshes.new_from_object(evaluated)
    body.modifiers.clear()
    body.data = cut
    cut.use_auto_smooth = True
    cut.auto_smooth_angle = radians(40)
    bpy.data.objects.remove(other)
    # The tongue in the port.
    if device["port"]["tongue"]:
        tongue = slab("tongue", 0.62, 0.07, 0.03, [(0, 0), (0, 0.4)], paint.plain("tongue", "#1a1a1c", 0.4), 4)
        tongue.matrix_world = Matrix.Translation((0, -height / 2 + 0.07, depth / 2)) @ Matrix.Rotation(-pi / 2, 4, "X")
        tongue.parent = body


def cameras(device, width, height, back, metal):
    """The camera bump and its lenses, seen from behind: x to the right, z outward."""
    rear, parts = device["rear"], []
    face = 0.018
    box = [rear[key] * 0.1 for key in ("xMm", "yMm", "widthMm", "heightMm")]
    middle = (-width / 2 + box[0] + box[2] / 2, height / 2 - box[1] - box[3] / 2)
    kind, rise = rear["island"], face
    dark = paint.gloss("camera glass", "#0b0c0f", 0.04)
    if kind != "none":
        w, h = box[2], box[3]
        radius = {"square": min(w, h) * 0.27, "pill": w / 2, "circle": w / 2, "visor": h / 2, "bar": 0.1}.get(kind, min(w, h) * 0.3)
        if kind == "bar":
            w, middle = width - 0.01, (0, middle[1])
        rise = 0.2 if kind in ("bar", "visor") else 0.15
        own = metal if kind in ("bar", "visor", "circle") else paint.island(device)
        plate = slab("bump", w, h, radius, fillet(-0.05, rise, 0.01, 0.07, 5), own, 16)
        plate.matrix_world = Matrix.Translation((*middle, 0))
        parts.append(plate)
        if kind in ("bar", "visor", "circle"):
            inset = 0.14 if kind != "circle" else 0.16
            if kind == "bar":
                lenses = rear["lenses"]
                left = min(l["xMm"] - l["radiusMm"] for l in lenses) * 0.1 - 0.12
                right = max(l["xMm"] + l["radiusMm"] for l in lenses) * 0.1 + 0.12
                w, middle, inset, radius = right - left, (-width / 2 + (left + right) / 2, middle[1]), 0.12, h / 2
            pane = slab("pane", w, h, radius, shift(fillet(rise - 0.03, rise + 0.012, 0.002, 0.012, 3), inset), dark, 16)
            pane.matrix_world = Matrix.Translation((*middle, 0))
            parts.append(pane)
            rise += 0.012
    flat = kind in ("bar", "visor", "circle")
    for at, lens in enumerate(rear["lenses"]):
        place = Matrix.Translation((-width / 2 + lens["xMm"] * 0.1, height / 2 - lens["yMm"] * 0.1, rise))
        for part in lens_parts(lens["radiusMm"] * 0.1, flat, metal, at):
            part.matrix_world = place
            parts.append(part)
    if rear.get("flash"):
        lamp = turned("flash", [(0.17, -0.02), (0.17, 0.004), (0.155, 0.008), (0.15, 0.002), (0.1, 0.004), (0.0, 0.012)], paint.plain("flash", "#e9dfc4", 0.18))
        lamp.matrix_world = Matrix.Translation((-width / 2 + rear["flash"]["xMm"] * 0.1, height / 2 - rear["flash"]["yMm"] * 0.1, rise))
        parts.append(lamp)
    return parts


def lens_parts(r, flat, metal, number):
    high = 0.03 if flat else 0.12
    floor = high - 0.13
    ring_metal = paint.plain("dark ring", "#3b3e45", 0.25, 1.0) if flat else metal
    hole = (0.86 if flat else 0.80) * r
    outer = turned(
        "lens ring",
        [(r, -0.05), (r, high - 0.03), (r - 0.012, high - 0.008), (r - 0.03, high), (hole + 0.012, high), (hole, high - 0.008), (hole, high - 0.03)],
        ring_metal,
    )
    barrel = turned(
        "barrel",
        [(hole, high - 0.02), (0.66 * r, high - 0.024), (0.64 * r, high - 0.04), (0.52 * r, high - 0.06), (0.5 * r, high - 0.085), (0.38 * r, high - 0.095), (0.36 * r, floor)],
        paint.plain("barrel", "#08080a", 0.35),
    )
    dome_profile = [(0.37 * r * cos(a), floor + 0.02 + 0.09 * sin(a)) for a in [pi / 2 * step / 8 for step in range(9)]]
    dome = turned("dome", dome_profile[:-1] + [(0.001, dome_profile[-1][1])], paint.coating(number), closed=True)
    cover = turned("cover", [(hole, high - 0.009), (0.001, high - 0.009)], paint.cover_glass(), closed=True)
    return [outer, barrel, dome, cover]


def dent(parts, spot, width, height, depth):
    """Presses a corner in."""
    x = width / 2 * (1 if spot["corner"].endswith("right") else -1)
    y = height / 2 * (1 if spot["corner"].startswith("top") else -1)
    corner = Vector((x, y, depth * spot.get("z", 0.35)))
    inward = Vector((-x, -y, 0)).normalized()
    target = corner + inward * spot["fromCornerMm"] * 0.1
    for part in parts:
        if part.type != "MESH":
            continue
        to_root, back = part.matrix_world, part.matrix_world.inverted()
        for vertex in part.data.vertices:
            at = to_root @ vertex.co
            near = (at - target).length / (spot["radiusMm"] * 0.1)
            if near < 1:
                vertex.co = back @ (at + inward * spot["depthMm"] * 0.1 * (1 - near * near) ** 2)
