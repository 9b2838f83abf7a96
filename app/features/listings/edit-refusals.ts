/** Why a listing cannot be edited. */
export const editRefusals = {
  "identity locked": "Model details are locked while the device is reserved or has an open offer.",
  sold: "This device is sold, so you can’t change its listing anymore.",
  "imei taken": "A device with this IMEI is already listed.",
  "number taken": "You have another listing with this number.",
  "not due": "This import is over.",
  "changed since": "This listing has changed since.",
};
