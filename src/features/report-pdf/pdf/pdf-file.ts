/**
 * A PDF 1.7 file, object by object. Its parts stay apart until the end, so that ten megabytes of photos are in memory once.
 *
 *     reserve() ──→ a number ──→ set(number, dictionary, stream?) ──→ file(): header, objects, cross-references, trailer
 */
const encoder = new TextEncoder()
/** What follows the `%` of the second line says that the file is no text. */
const HEADER = new Uint8Array([...encoder.encode('%PDF-1.7\n%'), 0xe2, 0xe3, 0xcf, 0xd3, 0x0a])

type Bytes = Uint8Array<ArrayBuffer>

export interface PdfFile {
  /** A number for an object that is written later. */
  reserve(): number
  /** @param entries of its dictionary, without << and >> */
  set(object: number, entries: string, stream?: Bytes): void
  add(entries: string, stream?: Bytes): number
  /** An object that is no dictionary. */
  addValue(value: string): number
  /** @param trailer entries beside Size */
  file(trailer: string): Blob
}

export function createPdfFile(): PdfFile {
  const objects: Bytes[][] = []
  const put = (object: number, parts: Bytes[]) => void (objects[object - 1] = parts)
  const reserve = () => objects.push([])
  const set: PdfFile['set'] = (object, entries, stream) =>
    put(
      object,
      stream
        ? [
            encoder.encode(`${object} 0 obj\n<< ${entries} /Length ${stream.length} >>\nstream\n`),
            stream,
            encoder.encode('\nendstream\nendobj\n'),
          ]
        : [encoder.encode(`${object} 0 obj\n<< ${entries} >>\nendobj\n`)],
    )
  return {
    reserve,
    set,
    add(entries, stream) {
      const object = reserve()
      set(object, entries, stream)
      return object
    },
    addValue(value) {
      const object = reserve()
      put(object, [encoder.encode(`${object} 0 obj\n${value}\nendobj\n`)])
      return object
    },
    file(trailer) {
      let at = HEADER.length
      const offsets = objects.map((parts) => {
        const offset = at
        at += parts.reduce((sum, { length }) => sum + length, 0)
        return offset
      })
      const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
      const size = objects.length + 1
      const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${at}\n%%EOF\n`
      return new Blob([HEADER, ...objects.flat(), encoder.encode(end)], { type: 'application/pdf' })
    },
  }
}

/** Compressed for `/Filter /FlateDecode`. */
export async function deflated(bytes: Bytes | string): Promise<Bytes> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** A text as PDF strings hold it in any language: UTF-16 with its mark, in hexadecimal. */
export const pdfText = (text: string): string => `<FEFF${utf16Hex(text)}>`

export const utf16Hex = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => hex4(text.charCodeAt(at))).join('')

export const hex4 = (value: number): string => value.toString(16).toUpperCase().padStart(4, '0')

/** Two decimals are a hundredth of a point. */
export const number = (value: number): string => String(Math.round(value * 100) / 100)
