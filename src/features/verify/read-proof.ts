import { PDFDocument } from '@cantoo/pdf-lib'
import { type } from 'arktype'
import { PROOF_FILE, type PhotoProof } from '#lib/image/photo-chain.ts'

const hex = type(/^[\da-f]{64}$/)
const photo = type({
  hash: hex,
  at: 'string <= 40',
  place: 'string <= 80',
  requestId: 'string <= 80',
  name: 'string <= 300',
  day: 'string <= 10',
  index: 'number.integer >= 0',
})
const day = type({ day: 'string <= 10', digests: hex.array(), head: hex })
const proof = type('string.json.parse').to({
  version: '1',
  days: day.array(),
  photos: photo.array(),
  sum: hex,
})

/** Parses the record of photos; null if the text is no such record. */
export function proofIn(text: string): PhotoProof | null {
  const read = proof(text)
  return read instanceof type.errors ? null : read
}

/** Reads the record of photos that this app has attached to a PDF; null if it has none. @throws if it is not a PDF */
export async function readProof(pdf: ArrayBuffer): Promise<PhotoProof | null> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false })
  const file = document.getAttachments().find(({ name }) => name === PROOF_FILE)
  return file ? proofIn(new TextDecoder().decode(file.data)) : null
}
