"""What lies beside a device. Lengths are in centimeters."""

from math import cos, pi, radians, sin

import bpy
import materials as paint
from device import fillet, slab, turned
from mathutils import Matrix, Vector


def place(parts, x, y, z=0.0, turn=0.0):
    matrix = Matrix.Translation((x, y, z)) @ Matrix.Rotation(radians(turn), 4, "Z")
    for part in parts:
        part.matrix_world = matrix @ part.matrix_world


def curve(name, points, radius, material):
    """A round cord through points."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions, data.bevel_depth, data.bevel_resolution, data.resolution_u = "3D", radius, 6, 24
    line = data.splines.new("BEZIER")
    line.bezier_points.add(len(points) - 1)
    for at, spot in zip(line.bezier_points, points):
        at.co = spot
        at.handle_left_type = at.handle_right_type = "AUTO"
    data.materials.append(material)
    thing = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def plug(tip, direction, white, size=(0.83, 0.26)):
    """A plug whose metal tip points along a direction in the plane."""
    shell = paint.plain("plug metal", "#b9bbbf", 0.3, 1.0)
    metal = slab("tip", *size, 0.12, fillet(0, 0.66, 0.02), shell, 8)
    grip = slab("grip", 1.1, 0.6, 0.26, fillet(-2.0, 0, 0.07), white, 10)
    collar = turned("collar", [(0.24, -2.0), (0.235, -2.5), (0.2, -2.9), (0.0, -2.92)], white)
    matrix = Matrix.Translation((*tip, 0.31)) @ Matrix.Rotation(direction - pi / 2, 4, "Z") @ Matrix.Rotation(-pi / 2, 4, "X")
    for part in (metal, grip, collar):
        part.matrix_world = matrix


def cable(x, y, turn=0.0, coil=3.4, hex_color="#f2f1ee", lightning=False):
    """A coiled charging cable with a plug at each end: USB-C, one of them Lightning for devices with that port."""
    cover = paint.plain(f"cable {hex_color}", hex_color, 0.42)
    rotate = Matrix.Rotation(radians(turn), 4, "Z")
    points = [(-coil - 4.2, -3.4, 0.24), (-coil - 2.2, -2.9, 0.2)]
    for step in range(17):
        a = radians(200 + step * 55)
        wide = coil * (1 + 0.10 * sin(step * 1.7))
        points.append((wide * cos(a), wide * 0.86 * sin(a), 0.19 + 0.17 * (step // 6) + 0.03 * sin(step * 2.3)))
    points += [(coil + 1.4, 2.4, 0.2), (coil + 3.2, 3.6, 0.24)]
    moved = [tuple(Vector((x, y, 0)) + rotate @ Vector(point)) for point in points]
    curve("cable", moved, 0.165, cover)
    usb_c, narrow = (0.83, 0.26), (0.67, 0.15)
    for end, before, size in ((0, 1, narrow if lightning else usb_c), (-1, -2, usb_c)):
        away = Vector(moved[end]) - Vector(moved[before])
        direction = Vector((away.x, away.y)).normalized()
        tip = Vector((moved[end][0], moved[end][1])) + direction * 2.7
        plug((tip.x, tip.y), Vector((1, 0)).angle_signed(direction) * -1, cover, size)


def box(x, y, turn=0.0, size=(8.6, 17.0, 3.6), hex_color="#f3f2ef"):
    """A cardboard box with its lid on."""
    card = paint.card(f"box {hex_color}", hex_color)
    width, long, high = size
    base = slab("box", width - 0.12, long - 0.12, 0.08, fillet(0, high * 0.5, 0.03), card, 4)
    # The last ring keeps the shading of the rounded edge off the flat top.
    lid = slab("lid", width, long, 0.1, [*fillet(high * 0.16, high, 0.02, 0.055), (0.07, high)], card, 4)
    place([base, lid], x, y, 0, turn)


def charger(x, y, turn=0.0, hex_color="#f4f3f0"):
    plastic = paint.gloss(f"charger {hex_color}", hex_color, 0.22)
    body = slab("charger", 4.2, 4.4, 0.7, fillet(0, 2.7, 0.25), plastic, 10)
    metal = paint.plain("prong", "#c3c4c6", 0.25, 1.0)
    prongs = []
    for side in (-0.64, 0.64):
        prong = slab("prong", 0.16, 0.64, 0.06, fillet(2.2, 3.8, 0.05), metal, 4)
        prong.matrix_world = Matrix.Translation((0, 0, 1.35)) @ Matrix.Rotation(-pi / 2, 4, "X") @ Matrix.Translation((side, 0, -0.1))
        prongs.append(prong)
    place([body, *prongs], x, y, 0, turn)


def pen(x, y, turn=0.0, hex_color="#c4e3d3"):
    """A tablet's pen."""
    shaft = paint.plain(f"pen {hex_color}", hex_color, 0.38)
    body = turned("pen", [(0.0, 0), (0.06, 0.01), (0.09, 0.08), (0.11, 0.32)], paint.plain("tip", "#3a3b3e", 0.5), 24)
    rest = turned("pen", [(0.13, 0.33), (0.40, 1.7), (0.41, 2.2), (0.41, 13.9), (0.39, 14.0), (0.3, 14.08), (0.0, 14.1)], shaft, 32)
    key = slab("pen key", 0.34, 1.9, 0.16, fillet(0.37, 0.425, 0.01), shaft, 8)
    key.matrix_world = Matrix.Translation((0, 0, 3.7)) @ Matrix.Rotation(pi / 2, 4, "X")
    lay = Matrix.Translation((0, 0, 0.41)) @ Matrix.Rotation(-pi / 2, 4, "X")
    for part in (body, rest, key):
        part.matrix_world = lay @ part.matrix_world
    place([body, rest, key], x, y, 0, turn)


def notebook(x, y, turn=0.0, hex_color="#2f4a46", size=(13.5, 20.5, 1.5)):
    cover = paint.card(f"cover {hex_color}", hex_color)
    pages = paint.card("pages", "#efe7d6")
    width, long, high = size
    parts = [
        slab("back cover", width, long, 0.45, fillet(0, 0.16, 0.04), cover, 6),
        slab("pages", width - 0.5, long - 0.5, 0.3, [(0, 0.14), (0, high - 0.14)], pages, 6),
        slab("cover", width, long, 0.45, fillet(high - 0.16, high, 0.03, 0.05), cover, 6),
    ]
    band = slab("band", 0.55, long + 0.05, 0.02, [(0, -0.01), (0, high + 0.03)], paint.plain("band", "#15171a", 0.7), 2)
    band.matrix_world = Matrix.Translation((width / 2 - 1.3, 0, 0))
    place([*parts, band], x, y, 0, turn)


def mug(x, y, turn=0.0, hex_color="#e9e3d6"):
    glaze = paint.gloss(f"glaze {hex_color}", hex_color, 0.16)
    r, high = 4.0, 9.2
    profile = [(0.0, 0.3), (2.6, 0.3), (2.8, 0.0), (3.3, 0.0), (3.75, 0.35), (r, 1.1), (r, high - 0.12), (r - 0.09, high), (r - 0.2, high), (r - 0.3, high - 0.15), (r - 0.32, 1.4), (r - 0.8, 0.75), (0.0, 0.7)]
    cup = turned("mug", profile, glaze, 72)
    drink = turned("coffee", [(r - 0.31, high - 1.9), (0.001, high - 1.9)], paint.gloss("coffee", "#2a150a", 0.05), 48, True)
    handle = curve("handle", [(r - 0.1, 0, high - 1.7), (r + 1.9, 0, high - 2.2), (r + 2.1, 0, 3.9), (r - 0.1, 0, 2.2)], 0.46, glaze)
    place([cup, drink, handle], x, y, 0, turn)


def coaster(x, y, turn=0.0, hex_color="#b98a5a"):
    cork = paint.card(f"cork {hex_color}", hex_color)
    place([slab("coaster", 9.6, 9.6, 4.8, fillet(0, 0.5, 0.1), cork, 20)], x, y, 0, turn)


def cloth_edge(x, y, turn=0.0, hex_color="#7b8794", size=(16, 24)):
    """A folded napkin or cleaning cloth."""
    cloth = paint.card(f"cloth {hex_color}", hex_color)
    parts = [slab("fold", size[0] - at * 0.25, size[1] - at * 0.4, 0.5, fillet(at * 0.26, at * 0.26 + 0.25, 0.1), cloth, 6) for at in range(3)]
    place(parts, x, y, 0, turn)


kinds = {one.__name__: one for one in (cable, box, charger, pen, notebook, mug, coaster, cloth_edge)}
