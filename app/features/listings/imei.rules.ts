/** A regular expression for the digits of an IMEI, together or in groups. */
export const imeiText = "\\d{2}[ /.-]?\\d{6}[ /.-]?\\d{6}[ /.-]?\\d";

/** 15 digits, not all the same, with a correct check digit. @see 3GPP TS 23.003, annex B */
export function isImei(text: string): boolean {
  const digits = text.replace(/[ /.-]/g, "");
  if (!/^\d{15}$/.test(digits) || /^(\d)\1*$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
