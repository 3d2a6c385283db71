/** Where the outline of a glyph lies, and its width and bearing. */
export function glyphsOf(file: Uint8Array) {
  const own = file.slice().buffer
  const view = new DataView(own)
  const tables = new Map<string, DataView>()
  for (let at = 0; at < view.getUint16(4); at += 1) {
    const entry = 12 + 16 * at
    const name = String.fromCharCode(...new Uint8Array(own, entry, 4))
    tables.set(name, new DataView(own, view.getUint32(entry + 8), view.getUint32(entry + 12)))
  }
  const table = (name: string) => tables.get(name) ?? new DataView(new ArrayBuffer(0))
  const [loca, glyf, hmtx] = [table('loca'), table('glyf'), table('hmtx')]
  const isLong = table('head').getInt16(50) === 1
  const longMetrics = table('hhea').getUint16(34)
  const offset = (glyph: number) => (isLong ? loca.getUint32(4 * glyph) : 2 * loca.getUint16(2 * glyph))
  const bearingAt = (glyph: number) =>
    glyph < longMetrics ? 4 * glyph + 2 : 4 * longMetrics + 2 * (glyph - longMetrics)
  const outline = (glyph: number): string => {
    const [from, to] = [offset(glyph), offset(glyph + 1)]
    const part = new DataView(glyf.buffer, glyf.byteOffset + from, to - from)
    if (to === from || part.getInt16(0) >= 0)
      return Buffer.from(part.buffer, part.byteOffset, part.byteLength)
        .toString('hex')
        .replace(/0{0,6}$/, '')
    return `composed of ${partsOf(part).map(outline).join(' and ')}`
  }
  return (glyph: number) => ({
    outline: outline(glyph),
    width: hmtx.getUint16(4 * Math.min(glyph, longMetrics - 1)),
    bearing: hmtx.getInt16(bearingAt(glyph)),
  })
}

function partsOf(glyph: DataView): number[] {
  const parts: number[] = []
  let at = 10
  let flags = 0x20
  while (flags & 0x20) {
    flags = glyph.getUint16(at)
    parts.push(glyph.getUint16(at + 2))
    at += 4 + (flags & 1 ? 4 : 2) + (flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0)
  }
  return parts
}
