/** `35.649100,139.808300` → `35.6491, 139.8083`; undefined where there is none. */
export function placeLabel(placeInfo: string): string | undefined {
  const [latitude, longitude] = placeInfo.split(',').map(Number)
  if (placeInfo === '' || latitude === undefined || longitude === undefined) return undefined
  return `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`
}
