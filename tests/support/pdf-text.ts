/**
 * Reads back what `report-pdf` has written: the texts of each page by the font's own table of characters, bookmarks and
 * what the document says of itself. It knows no other PDF.
 */
import { inflateSync } from 'node:zlib'

export interface ReadPdf {
  pages: string[]
  bookmarks: string[]
  title: string
  catalog: string
  /** How many pictures each page shows. */
  pictures: number[]
  /** What they are called for those who listen, in the order they are read. */
  alts: string[]
  /** The bytes of the embedded font. */
  font: Uint8Array
}

interface PdfObject {
  entries: string
  stream: Uint8Array | null
}

export async function readPdf(file: Blob): Promise<ReadPdf> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const objects = objectsIn(bytes)
  const values = [...objects.values()]
  const ofType = (entry: RegExp) => values.filter(({ entries }) => entry.test(entries))
  const unicode = new Map(
    ofType(/\/ToUnicode/).flatMap(({ entries }) =>
      charactersIn(inflated(referred(objects, entries, 'ToUnicode'))),
    ),
  )
  const catalog = ofType(/\/Type \/Catalog/)[0]?.entries ?? ''
  const order = [...(ofType(/\/Type \/Pages/)[0]?.entries ?? '').matchAll(/(\d+) 0 R(?=[^[]*\])/g)]
  const pages = order.map(([, id]) => objects.get(Number(id))?.entries ?? '')
  const [descriptor] = ofType(/\/FontFile2/)
  return {
    pages: pages.map((entries) => textsIn(inflated(referred(objects, entries, 'Contents')), unicode)),
    pictures: pages.map((entries) => [...entries.matchAll(/\/Im\d+ \d+ 0 R/g)].length),
    alts: ofType(/\/Alt <FEFF/).map(({ entries }) =>
      utf16(/\/Alt <FEFF([0-9A-F]*)>/.exec(entries)?.[1] ?? ''),
    ),
    bookmarks: ofType(/\/Dest \[/).map(({ entries }) => titleIn(entries)),
    title: titleIn(ofType(/^\/Title <FEFF[0-9A-F]*>$/)[0]?.entries ?? ''),
    catalog,
    font: Uint8Array.from(inflateSync(referred(objects, descriptor?.entries ?? '', 'FontFile2'))),
  }
}

/** By the table of cross-references, so that a wrong offset is found. */
function objectsIn(bytes: Uint8Array): Map<number, PdfObject> {
  const text = Buffer.from(bytes).toString('latin1')
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
  const rows = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset))
  return new Map(
    rows.map((offset, at) => {
      const [head, id] = /^(\d+) 0 obj\n/.exec(text.slice(offset, offset + 20)) ?? []
      if (Number(id) !== at + 1 || !head) throw new Error(`object ${at + 1} is not at ${offset}`)
      const body = text.slice(offset + head.length)
      const entries = body.slice(0, body.search(/\n(?:stream|endobj)\n/)).replace(/^<< | >>$/g, '')
      const length = /\/Length (\d+)$/.exec(entries)?.[1]
      const from = offset + head.length + body.indexOf('stream\n') + 'stream\n'.length
      return [at + 1, { entries, stream: length ? bytes.slice(from, from + Number(length)) : null }]
    }),
  )
}

function referred(objects: Map<number, PdfObject>, entries: string, name: string): Uint8Array {
  const id = new RegExp(`/${name} (\\d+) 0 R`).exec(entries)?.[1]
  return objects.get(Number(id))?.stream ?? new Uint8Array()
}

const inflated = (stream: Uint8Array) => inflateSync(stream).toString('latin1')

const utf16 = (hex: string) =>
  (hex.match(/.{4}/g) ?? []).map((each) => String.fromCharCode(Number.parseInt(each, 16))).join('')

const charactersIn = (map: string): [string, string][] =>
  [...map.matchAll(/^<([0-9A-F]{4})> <([0-9A-F]+)>$/gm)].map(([, code = '', hex = '']) => [code, utf16(hex)])

const textsIn = (operations: string, unicode: ReadonlyMap<string, string>) =>
  [...operations.matchAll(/<([0-9A-F]*)> Tj/g)]
    .map(([, hex = '']) => (hex.match(/.{4}/g) ?? []).map((code) => unicode.get(code) ?? '?').join(''))
    .join('\n')

const titleIn = (entries: string) => utf16(/\/Title <FEFF([0-9A-F]*)>/.exec(entries)?.[1] ?? '')
