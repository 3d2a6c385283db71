/** Compares the files that the user has chosen: a PDF of this app, and photos. Nothing is stored or sent. */
import { sha256, verified, type HashedFile, type Verified } from '#lib/image/photo-chain.ts'

/** Why files cannot be compared. `not-here`: the code for reading PDFs is neither on the device nor reachable. */
export type NoComparison = 'no-pdf' | 'several-pdfs' | 'too-large' | 'unreadable' | 'no-record' | 'not-here'

/** Maximum size of one file in bytes. A PDF of this app has at most 10 MB, a photo at most 50 MB. */
export const FILE_MAX_BYTES = 60 * 1024 * 1024

const isPdf = (head: Uint8Array) => String.fromCharCode(...head.subarray(0, 5)) === '%PDF-'

export async function compareFiles(files: readonly File[]): Promise<Verified | NoComparison> {
  if (files.some(({ size }) => size > FILE_MAX_BYTES)) return 'too-large'
  const pdfs: ArrayBuffer[] = []
  const others: HashedFile[] = []
  try {
    for (const file of files) {
      const bytes = await file.arrayBuffer()
      if (isPdf(new Uint8Array(bytes, 0, Math.min(5, bytes.byteLength)))) pdfs.push(bytes)
      else others.push({ name: file.name, hash: await sha256(bytes) })
    }
  } catch {
    return 'unreadable'
  }
  const [pdf, second] = pdfs
  if (!pdf) return 'no-pdf'
  if (second) return 'several-pdfs'
  return compareWith(pdf, others)
}

async function compareWith(pdf: ArrayBuffer, files: readonly HashedFile[]): Promise<Verified | NoComparison> {
  const reader = await import('./read-proof.ts').catch(() => null)
  if (!reader) return 'not-here'
  const proof = await reader.readProof(pdf).catch(() => 'unreadable' as const)
  if (proof === 'unreadable') return proof
  return proof ? verified(proof, files) : 'no-record'
}
