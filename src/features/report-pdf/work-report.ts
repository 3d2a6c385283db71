/** The content of 作業報告書 in order, and its photos scaled down. `pdf/sheets.ts` draws it. */
import type { PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import { PROOF_FILE, type PhotoProof } from '#lib/image/photo-chain.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'
import type { PerSheet } from './pdf/paper.ts'
import type { Sheets } from './pdf/sheets.ts'
import { PAD, pointsOf, type Signature } from './signature.ts'

export interface ReportSection {
  heading: string
  /** Says if the CRM has confirmed the section; undefined if the section needs no confirmation. */
  state?: string
  rows?: readonly (readonly [string, string])[]
  note?: string | undefined
  /** `alt` is the signature's description for screen readers. */
  drawing?: { strokes: Signature['strokes']; alt: string }
}

export interface WorkReport {
  title: string
  lead: readonly string[]
  sections: readonly ReportSection[]
  photos: {
    heading: string
    all: readonly ReportPhoto[]
    perSheet: PerSheet
    /** The text shown in place of a photo: `absent` if it is not on the device, `broken` if it is not a picture. */
    why: Readonly<Record<'absent' | 'broken', string>>
    proven: (proof: PhotoProof) => ReportSection
  }
  footer: string
}

export interface Steps {
  signal: AbortSignal
  /** Yields to the page between two steps. */
  breathe: () => Promise<void>
  /** Called with the progress, 0 to 1. */
  onProgress: (done: number) => void
}

interface Drawing extends Steps {
  pictureOf: (key: string, count: number) => Promise<PictureOf>
  /** Returns the hashes that the device recorded when these photos were added; null if there are none. */
  proofOf: (photos: readonly ReportPhoto[]) => Promise<PhotoProof | null>
}

/** Number of photos that are scaled down in advance while another photo is drawn. */
const AHEAD = 3

/** Draws the report and returns it as a PDF. @throws the signal's reason once it is aborted */
export async function drawReport(report: WorkReport, sheets: Sheets, drawing: Drawing): Promise<Blob> {
  const { title, lead, sections, footer, photos } = report
  const steps = sections.length + photos.all.length + 2
  let done = 0
  const step = async () => {
    drawing.signal.throwIfAborted()
    drawing.onProgress((done += 1) / steps)
    await drawing.breathe()
  }
  sheets.title(title)
  for (const line of lead) sheets.text(line)
  await step()
  for (const section of sections) {
    drawSection(section, sheets)
    await step()
  }
  const proof = await drawing.proofOf(photos.all)
  if (proof) {
    drawSection(photos.proven(proof), sheets)
    await sheets.attach(PROOF_FILE, JSON.stringify(proof))
  }
  await drawPhotos(photos, sheets, { ...drawing, step })
  const file = await sheets.finish(title, footer, drawing.breathe)
  drawing.signal.throwIfAborted()
  return file
}

function drawSection({ heading, state, rows = [], note, drawing }: ReportSection, sheets: Sheets): void {
  sheets.heading(heading, state)
  for (const [label, value] of rows) sheets.row(label, value)
  if (note !== undefined) sheets.text(note)
  if (drawing) sheets.strokes({ strokes: drawing.strokes.map(pointsOf), field: PAD, name: drawing.alt })
}

/** Draws the photos. A text with the reason replaces a photo that cannot be drawn. */
async function drawPhotos(
  { heading, all, perSheet, why }: WorkReport['photos'],
  sheets: Sheets,
  { pictureOf, step }: Pick<Drawing, 'pictureOf'> & { step: () => Promise<void> },
): Promise<void> {
  if (all.length === 0) return
  sheets.newSheet()
  sheets.heading(heading)
  const read = ({ key }: ReportPhoto) => pictureOf(key, all.length).catch(() => 'broken' as const)
  const ahead = all.slice(0, AHEAD).map(read)
  for (const [at, { name, captions }] of all.entries()) {
    ahead.push(...all.slice(at + AHEAD, at + AHEAD + 1).map(read))
    const picture = (await ahead.shift()) ?? 'broken'
    const [jpeg, lines] =
      typeof picture === 'string' ? [null, [why[picture], ...captions]] : [picture, captions]
    await sheets.picture({ name, at, perSheet, jpeg, lines })
    await step()
  }
}

export const fileNameOf = (title: string): string =>
  Array.from(title.replace(/[\\/:*?"<>|\s\p{Cc}]+/gu, '-'))
    .slice(0, 60)
    .join('')

/** Maximum size of all photos of a report in bytes. Texts and font add some hundred kilobytes. */
export const PHOTOS_MAX_BYTES = 9_000_000
/** Maximum size of one photo in bytes, which is sharp enough for half a sheet. */
const PHOTO_MAX_BYTES = 700_000
const LONG_EDGE_PX = 1_600
/** Smallest long edge in px. A photo is not scaled down further, even if it exceeds its share of bytes. */
const LEAST_EDGE_PX = 480
/** Each further attempt scales the long edge by at most this factor. */
const SMALLER = 0.9
/** A usual JPEG of n bytes has a long edge of √(n × PIXELS_PER_BYTE) px. A more detailed one is scaled down again. */
const PIXELS_PER_BYTE = 6

export interface ReportPhoto {
  key: string
  /** The photo's name in the file store. */
  fileName: string
  name: string
  captions: readonly string[]
}

/** A JPEG, or the reason for its absence. `absent`: the bytes are not on the device. `broken`: the file is not a picture. */
type PictureOf = ArrayBuffer | 'absent' | 'broken'

/** Returns a photo, scaled down for a report. @param count number of photos in the report */
export async function pictureOf(
  key: string,
  count: number,
  { bytes, jobs }: { bytes: Pick<PhotoBytesTable, 'get'>; jobs: Pick<PhotoJobs, 'thumb'> },
): Promise<PictureOf> {
  const whole = await bytes.get(key)
  if (!whole) return 'absent'
  const file = new Blob([whole])
  const budget = Math.min(PHOTO_MAX_BYTES, PHOTOS_MAX_BYTES / count)
  let longEdge = Math.min(LONG_EDGE_PX, Math.round(Math.sqrt(budget * PIXELS_PER_BYTE)))
  for (;;) {
    const drawn = await jobs.thumb(file, longEdge)
    if (!drawn) return 'broken'
    if (drawn.byteLength <= budget || longEdge <= LEAST_EDGE_PX) return drawn
    // Scales the area by `budget / byteLength`. Half of the area needs more than half of the bytes.
    const smaller = Math.min(SMALLER, Math.sqrt(budget / drawn.byteLength))
    longEdge = Math.max(LEAST_EDGE_PX, Math.floor(longEdge * smaller))
  }
}
