import { PDFDocument } from '@cantoo/pdf-lib'
import { PROOF_FILE, proofIn, type PhotoProof } from '#lib/image/photo-chain.ts'

/** Reads the record of photos that this app has attached to a PDF; null if it has none. @throws if it is not a PDF */
export async function readProof(pdf: ArrayBuffer): Promise<PhotoProof | null> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false })
  const file = document.getAttachments().find(({ name }) => name === PROOF_FILE)
  return file ? proofIn(new TextDecoder().decode(file.data)) : null
}
