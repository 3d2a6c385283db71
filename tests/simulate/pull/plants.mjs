export const plants = []
