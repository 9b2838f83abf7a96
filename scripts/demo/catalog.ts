import { androidPhones } from "./catalog/android-phones";
import { androidTablets } from "./catalog/android-tablets";
import { ipads } from "./catalog/ipads";
import { iphones } from "./catalog/iphones";
import type { DeviceModel } from "./device-model";

export const catalog: DeviceModel[] = [...androidPhones, ...iphones, ...androidTablets, ...ipads];
