/** Valid input of the add-phone form, also valid as JSON for the API. */
export const validListing = {
  brandName: "Fairphone",
  model: "5",
  ram: "8 GB",
  rom: "256 GB",
  camera: "50 MP wide",
  processor: "Qualcomm QCM6490",
  os: "Android",
  deviceType: "Smart Phone",
  image: "https://pictures.example/fairphone.jpg",
  battery: "4200 mAh",
  sellingReason: "One phone is enough.",
  marketPrice: "699",
  sellingPrice: "349.50",
  postDate: "2026-11-20",
  usedTime: "14",
};
