/** Writes the only EXIF tag a JPEG needs for display: its orientation. */

/** Builds an EXIF segment with only the orientation (TIFF 6, big endian). */
function orientationSegment(orientation: number): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8]
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
  const body = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff, 0, 1, ...entry, 0, 0, 0, 0]
  return Uint8Array.from([0xff, 0xe1, 0, body.length + 2, ...body])
}

/** @param orientation EXIF value 1–8; 1 needs no segment @param jpeg a JPEG without EXIF */
export function withOrientation(jpeg: ArrayBuffer, orientation: number): ArrayBuffer {
  if (orientation === 1) return jpeg
  const segment = orientationSegment(orientation)
  const output = new Uint8Array(jpeg.byteLength + segment.length)
  const start = 2
  output.set(new Uint8Array(jpeg, 0, start))
  output.set(segment, start)
  output.set(new Uint8Array(jpeg, start), start + segment.length)
  return output.buffer
}
