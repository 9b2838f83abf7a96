"""The materials of devices, tables and things, as Cycles nodes."""

import os

import bpy
import numpy as np
import patterns

cache = {}


def image(name, pixels, linear=True):
    """Makes an image of an array of height × width × channels; its first row is at the bottom."""
    height, width = pixels.shape[:2]
    made = bpy.data.images.new(name, width, height, float_buffer=True, alpha=False)
    made.colorspace_settings.name = "Linear" if linear else "sRGB"
    rgba = np.ones((height, width, 4), dtype=np.float32)
    rgba[..., :3] = pixels if pixels.ndim == 3 else pixels[..., None]
    made.pixels.foreach_set(rgba.ravel())
    made.pack()
    return made


class Nodes:
    """A material's nodes, with few words."""

    def __init__(self, name):
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.surface = self.tree.nodes["Principled BSDF"]

    def add(self, kind, inputs=None, **settings):
        node = self.tree.nodes.new(f"ShaderNode{kind}")
        for key, value in settings.items():
            setattr(node, key, value)
        for key, value in (inputs or {}).items():
            self.give(node.inputs[key], value)
        return node

    def give(self, socket, value):
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, socket)
        elif isinstance(value, np.ndarray) or isinstance(value, (tuple, list)):
            socket.default_value = (*value, 1) if len(value) == 3 and socket.type == "RGBA" else tuple(value)
        else:
            socket.default_value = value

    def set(self, **inputs):
        for key, value in inputs.items():
            self.give(self.surface.inputs[key.replace("_", " ")], value)
        return self

    def math(self, operation, *values, clamp=False):
        node = self.add("Math", operation=operation, use_clamp=clamp)
        for at, value in enumerate(values):
            self.give(node.inputs[at], value)
        return node.outputs[0]

    def mix(self, share, one, other):
        return self.add("MixRGB", {"Fac": share, "Color1": one, "Color2": other}).outputs[0]

    def ramp(self, value, low, high, to_low=0.0, to_high=1.0):
        node = self.add("MapRange", {"Value": value, "From Min": low, "From Max": high, "To Min": to_low, "To Max": to_high})
        return node.outputs[0]

    def texture(self, picture, vector, extension="REPEAT"):
        return self.add("TexImage", {"Vector": vector}, image=picture, extension=extension).outputs["Color"]

    def at(self, scale=(1, 1, 1), shift=(0, 0, 0)):
        """The object's coordinates, scaled and shifted."""
        place = self.add("TexCoord").outputs["Object"]
        return self.add("Mapping", {"Vector": place, "Scale": scale, "Location": shift}).outputs[0]

    def bump(self, height, strength, distance):
        return self.add("Bump", {"Height": height, "Strength": strength, "Distance": distance}).outputs[0]


def plain(name, hex_color, roughness, metallic=0.0):
    if name not in cache:
        made = Nodes(name).set(Base_Color=patterns.linear(hex_color), Roughness=roughness, Metallic=metallic)
        cache[name] = made.material
    return cache[name]


def gloss(name, hex_color, roughness):
    if name not in cache:
        cache[name] = Nodes(name).set(Base_Color=patterns.linear(hex_color), Roughness=roughness, Specular=0.6).material
    return cache[name]


def coating(number):
    tint = ["#2c4fb8", "#6a3fc0", "#1f8a86", "#8a3a9a"][number % 4]
    made = Nodes("coating").set(Base_Color=patterns.linear("#050508"), Roughness=0.02, Specular=0.9, Clearcoat=1.0, Clearcoat_Roughness=0.01)
    facing = made.add("LayerWeight", {"Blend": 0.35}).outputs["Facing"]
    made.set(Emission=patterns.linear(tint), Emission_Strength=made.ramp(facing, 0, 0.9, 0.05, 0.0))
    return made.material


def cover_glass():
    """A thin pane, without refraction."""
    if "cover" not in cache:
        made = Nodes("cover")
        clear = made.add("BsdfTransparent", {"Color": (0.86, 0.9, 0.95)})
        glossy = made.add("BsdfGlossy", {"Roughness": 0.01})
        fresnel = made.add("Fresnel", {"IOR": 1.6}).outputs[0]
        both = made.add("MixShader", {0: fresnel, 1: clear.outputs[0], 2: glossy.outputs[0]})
        made.tree.links.new(both.outputs[0], made.tree.nodes["Material Output"].inputs["Surface"])
        cache["cover"] = made.material
    return cache["cover"]


def metal(name, device, seed):
    """The frame: brushed or polished metal with antenna lines, worn at the corners where the listing says so."""
    # Anodized metal is paler than the color it is named after.
    color = 0.78 * patterns.linear(device["frameHex"]) + 0.22 * patterns.linear("#cbc9c4")
    made = Nodes(name)
    place = made.add("TexCoord").outputs["Object"]
    axes = made.add("SeparateXYZ", {"Vector": place})
    height, width = device["heightMm"] * 0.1, device["widthMm"] * 0.1
    polished = device["finish"] == "polished"
    fine = made.add("TexNoise", {"Vector": place, "Scale": 60.0, "Detail": 2.0}).outputs["Fac"]
    rough = made.ramp(fine, 0.3, 0.7, 0.1 if polished else 0.28, 0.16 if polished else 0.38)
    base, metallic = color, 1.0
    if device["back"] == "metal":
        # Blasted before it is anodized: it scatters light.
        metallic, rough = 0.45, made.math("ADD", rough, 0.16)
    if device["antenna"]:
        from_end = made.math("SUBTRACT", height / 2, made.math("ABSOLUTE", axes.outputs["Y"]))
        from_line = made.math("ABSOLUTE", made.math("SUBTRACT", from_end, max(device["cornerMm"] * 0.115, 0.9)))
        is_line = made.math("LESS_THAN", from_line, 0.055)
        base = made.mix(is_line, color, color * 0.8)
        metallic = made.math("SUBTRACT", 1.0, is_line)
        rough = made.math("ADD", rough, made.math("MULTIPLY", is_line, 0.15))
    if device.get("wear"):
        # Wear: bare metal in spots, more of them near the corners.
        x = made.math("SUBTRACT", width / 2, made.math("ABSOLUTE", axes.outputs["X"]))
        y = made.math("SUBTRACT", height / 2, made.math("ABSOLUTE", axes.outputs["Y"]))
        near = made.ramp(made.math("ADD", made.math("POWER", x, 2.0), made.math("POWER", y, 2.0)), 0.2, 1.7, 1.0, 0.0)
        spots = made.add("TexNoise", {"Vector": place, "Scale": 7.0, "Detail": 6.0, "Roughness": 0.75}).outputs["Fac"]
        z = made.math("ABSOLUTE", made.math("SUBTRACT", axes.outputs["Z"], device["depthMm"] * 0.05))
        edge = made.ramp(z, device["depthMm"] * 0.02, device["depthMm"] * 0.048, -0.06, 0.12)
        value = made.math("ADD", made.math("MULTIPLY", near, device["wear"] * 0.22), made.math("ADD", spots, edge))
        worn = made.ramp(value, 0.70, 0.74)
        base = made.mix(worn, base, patterns.linear("#dcdad6"))
        rough = made.math("ADD", rough, made.math("MULTIPLY", worn, 0.2))
        made.set(Normal=made.bump(worn, 0.4, -0.008))
    if device.get("dent"):
        spot = device["dent"]
        sign = (1 if spot["corner"].endswith("right") else -1, 1 if spot["corner"].startswith("top") else -1)
        middle = (sign[0] * (width / 2 - 0.33), sign[1] * (height / 2 - 0.33), device["depthMm"] * 0.05)
        away = made.add("VectorMath", {0: place, 1: middle}, operation="DISTANCE").outputs["Value"]
        spots = made.add("TexNoise", {"Vector": place, "Scale": 16.0, "Detail": 6.0, "Roughness": 0.8}).outputs["Fac"]
        worn = made.ramp(made.math("ADD", spots, made.ramp(away, 0.1, 0.62, 0.22, -0.15)), 0.63, 0.67)
        base = made.mix(worn, base, patterns.linear("#e8e6e2"))
        made.set(Normal=made.bump(made.math("ADD", worn, fine), 0.5, -0.01))
    made.set(Base_Color=base, Metallic=metallic, Roughness=rough)
    return made.material


def face_place(made, device):
    """Coordinates from 0 to 1 over the face."""
    return made.at((10 / device["widthMm"], 10 / device["heightMm"], 1), (0.5, 0.5, 0))


def marks(made, device, side, seed):
    """Scratches of this side as a field from 0 to 1; None without."""
    lines = [mark["lines"] for mark in device.get("marks", []) if mark["side"] == side]
    if not lines:
        return None
    field = patterns.scratches(seed + 5, [line for group in lines for line in group])
    return made.texture(image(f"{side} marks", field), face_place(made, device), "EXTEND")


def front(device, screen, seed):
    """Glass over the screen: dust and fingerprints on top, light from below."""
    made = Nodes("front")
    place = face_place(made, device)
    shown = bpy.data.images.load(screen["file"])
    light = made.add("TexImage", {"Vector": place}, image=shown, extension="EXTEND").outputs["Color"]
    dirt = made.texture(image("front touched", patterns.touched(seed, device["dirt"])), place)
    parts = made.add("SeparateRGB", {0: dirt})
    rough = made.math("MULTIPLY_ADD", parts.outputs[0], 0.26, 0.025)
    base = made.mix(made.math("MULTIPLY", parts.outputs[1], 0.5), patterns.linear(screen["border"]), (0.5, 0.48, 0.45))
    base = made.mix(made.math("MULTIPLY", parts.outputs[0], 0.035), base, (0.5, 0.5, 0.5))
    made.set(Base_Color=base, Roughness=rough, Specular=0.5, Emission=light, Emission_Strength=screen["brightness"])
    worn = marks(made, device, "front", seed)
    if worn:
        made.set(
            Base_Color=made.mix(made.math("MULTIPLY", worn, 0.5), base, (0.75, 0.75, 0.75)),
            Roughness=made.math("MULTIPLY_ADD", worn, 0.4, rough),
            Normal=made.bump(worn, 0.6, -0.006),
        )
    return made.material


def back(device, seed):
    made = Nodes("back")
    color = patterns.linear(device["backHex"])
    place = face_place(made, device)
    dirt = made.texture(image("back touched", patterns.touched(seed + 3, device["dirt"])), place)
    parts = made.add("SeparateRGB", {0: dirt})
    glossy = device["back"] == "gloss"
    amount = 0.2 if glossy else 0.1
    rough = made.math("MULTIPLY_ADD", parts.outputs[0], amount, 0.045 if glossy else 0.33)
    base = made.mix(made.math("MULTIPLY", parts.outputs[1], 0.45), color, (0.62, 0.6, 0.57))
    made.set(Base_Color=base, Roughness=rough, Specular=0.5)
    if not glossy:
        made.set(Metallic=0.12)
    worn = marks(made, device, "back", seed)
    if worn:
        made.set(
            Base_Color=made.mix(made.math("MULTIPLY", worn, 0.7), base, (0.85, 0.85, 0.85)),
            Roughness=made.math("MULTIPLY_ADD", worn, 0.35, rough),
            Normal=made.bump(worn, 0.7, -0.008),
        )
    return made.material


def island(device):
    """The camera bump: matte on a glossy back, glossy on a matte one."""
    color = patterns.linear(device["islandHex"])
    return Nodes("island").set(Base_Color=color, Roughness=0.3 if device["back"] == "gloss" else 0.06, Specular=0.5).material


def textures(kind, folder):
    """Color, height and roughness, which the pictures of a table share."""
    file = os.path.join(folder, f"{kind['name']}.npz")
    if not os.path.exists(file):
        if kind["pattern"] == "wood":
            made = patterns.wood(kind["seed"], kind["light"], kind["dark"], kind["planks"])
        elif kind["pattern"] == "cloth":
            made = patterns.cloth(kind["seed"], kind["light"], kind["threads"])
        elif kind["pattern"] == "stone":
            made = patterns.stone(kind["seed"], kind["light"], kind["dark"])
        else:
            made = patterns.felt(kind["seed"], kind["light"])
        np.savez(file, *(field.astype(np.float32) for field in made))
    with np.load(file) as stored:
        return [stored[name] for name in stored.files]


def surface(kind, folder):
    """A table's top. Returns its material."""
    made = Nodes(kind["name"])
    scale = 1 / kind["sizeCm"]
    turn = made.add("TexCoord").outputs["Object"]
    place = made.add("Mapping", {"Vector": turn, "Scale": (scale, scale, 1), "Rotation": (0, 0, kind.get("turn", 0) * 0.01745)}).outputs[0]
    color, height, rough = textures(kind, folder)
    color = made.texture(image("color", np.clip(color, 0, 1)), place)
    height = made.texture(image("height", height), place)
    rough = made.texture(image("rough", rough), place)
    made.set(Base_Color=color, Roughness=rough, Specular=kind.get("specular", 0.4), Normal=made.bump(height, kind.get("bump", 0.5), kind.get("bumpCm", 0.01)))
    return made.material


def card(name, hex_color):
    """Printed cardboard or paper."""
    made = Nodes(name)
    fibers = made.add("TexNoise", {"Vector": made.at(), "Scale": 14.0, "Detail": 5.0}).outputs["Fac"]
    made.set(Base_Color=patterns.linear(hex_color), Roughness=0.55, Normal=made.bump(fibers, 0.12, 0.01))
    return made.material
