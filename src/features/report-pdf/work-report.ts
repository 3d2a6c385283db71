/** 作業報告書 as a document: its content in order, without a word of how it is drawn. */
import { PROOF_FILE, type PhotoProof } from '#lib/image/photo-chain.ts'
import type { PerSheet } from './pdf/paper.ts'
import type { Sheets } from './pdf/sheets.ts'
import type { PictureOf, ReportPhoto } from './report-photos.ts'
import { PAD, pointsOf, type Signature } from './signature.ts'

export interface ReportSection {
  heading: string
  /** Says if the CRM has confirmed it; undefined if there is nothing to confirm. */
  state?: string
  /** A label and a value each. */
  rows?: readonly (readonly [string, string])[]
  /** A sentence instead of rows, or after them. */
  note?: string | undefined
  /** A signature, with a description for screen readers. */
  drawing?: { strokes: Signature['strokes']; alt: string }
}

export interface WorkReport {
  title: string
  /** Below the title. */
  lead: readonly string[]
  sections: readonly ReportSection[]
  photos: {
    heading: string
    all: readonly ReportPhoto[]
    perSheet: PerSheet
    /** In place of a photo that cannot be drawn. */
    why: Readonly<Record<'absent' | 'broken', string>>
    /** The section on the record of the photos. */
    proven: (proof: PhotoProof) => ReportSection
  }
  /** At the foot of every sheet. */
  footer: string
}

interface Drawing {
  signal: AbortSignal
  /** Lets the page answer. */
  breathe: () => Promise<void>
  /** Called with the part that is done, 0 to 1. */
  onProgress: (done: number) => void
  pictureOf: (key: string, count: number) => Promise<PictureOf>
  /** The record of these photos; null if there is none. */
  proofOf: (photos: readonly ReportPhoto[]) => Promise<PhotoProof | null>
}

/** The number of photos that are read and made smaller while one is drawn. */
const AHEAD = 3

/** Draws the document on sheets. @throws the signal's reason once it is aborted */
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
  if (drawing) sheets.strokes(drawing.strokes.map(pointsOf), PAD, drawing.alt)
}

/** A photo that cannot be drawn leaves the others as they are: its place says why. */
async function drawPhotos(
  { heading, all, perSheet, why }: WorkReport['photos'],
  sheets: Sheets,
  { pictureOf, step }: Pick<Drawing, 'pictureOf'> & { step: () => Promise<void> },
): Promise<void> {
  if (all.length === 0) return
  sheets.newSheet()
  sheets.heading(heading)
  // A photo whose bytes cannot be read counts as one that cannot be drawn.
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

/** A name that every file system takes, also one without long names. */
export const fileNameOf = (title: string): string =>
  Array.from(title.replace(/[\\/:*?"<>|\s\p{Cc}]+/gu, '-'))
    .slice(0, 60)
    .join('')
