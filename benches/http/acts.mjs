export async function measure() {}
