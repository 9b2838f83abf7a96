import { androidPhones } from "./catalogue/android-phones";
import { androidTablets } from "./catalogue/android-tablets";
import { ipads } from "./catalogue/ipads";
import { iphones } from "./catalogue/iphones";
import type { DeviceModel } from "./device-model";

export const catalogue: DeviceModel[] = [...androidPhones, ...iphones, ...androidTablets, ...ipads];
