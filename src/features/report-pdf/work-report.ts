/** 作業報告書 as a document: what stands on it in which order, without a word of how it is drawn. */
import type { PerSheet } from './pdf/pictures.ts'
import type { Sheets } from './pdf/sheets.ts'
import type { PictureOf, ReportPhoto } from './report-photos.ts'
import { PAD, pointsOf, type Signature } from './signature.ts'

export interface ReportRow {
  label: string
  value: string
}

export interface ReportSection {
  heading: string
  /** Whether the CRM has confirmed it; '' where there is nothing to confirm. */
  state: string
  rows: readonly ReportRow[]
  /** A sentence in the place of rows, or after them. */
  note?: string | undefined
}

export interface ReportPhotos {
  heading: string
  all: readonly ReportPhoto[]
  perSheet: PerSheet
  /** In the place of a photo that is not there to be drawn. */
  why: Readonly<Record<'absent' | 'broken', string>>
}

export interface ReportSignature {
  heading: string
  rows: readonly ReportRow[]
  strokes: Signature['strokes']
  /** What the drawing is, for those who listen. */
  name: string
}

export interface WorkReport {
  title: string
  /** Under the title. */
  lead: readonly string[]
  sections: readonly ReportSection[]
  /** null: nobody has signed. */
  signature: ReportSignature | null
  photos: ReportPhotos
  /** At the foot of every sheet. */
  footer: string
}

interface Drawing {
  signal: AbortSignal
  /** Lets the page answer. */
  breathe: () => Promise<void>
  /** The part that is done, 0 to 1. */
  onProgress: (done: number) => void
  pictureOf: (photo: ReportPhoto, count: number) => Promise<PictureOf>
}

/** Draws the document on sheets. @throws the signal's reason once it is aborted */
export async function drawReport(report: WorkReport, sheets: Sheets, drawing: Drawing): Promise<Blob> {
  const { signal, breathe, onProgress } = drawing
  const { title, lead, sections, signature, photos, footer } = report
  const steps = sections.length + photos.all.length
  const step = async (done: number) => {
    onProgress(done / steps)
    await breathe()
    signal.throwIfAborted()
  }
  sheets.title(title)
  for (const line of lead) sheets.text(line)
  for (const [at, section] of sections.entries()) {
    drawSection(section, sheets)
    await step(at + 1)
  }
  if (signature) drawSignature(signature, sheets)
  if (photos.all.length > 0) {
    sheets.newSheet()
    sheets.heading(photos.heading)
  }
  for (const [at, photo] of photos.all.entries()) {
    await drawPhoto(photo, at, photos, sheets, drawing)
    await step(sections.length + at + 1)
  }
  const pageText = (page: number, of: number) => `${page} / ${of}`
  const file = await sheets.finish({ title, footer, pageText })
  signal.throwIfAborted()
  return file
}

function drawSignature({ heading, rows, strokes, name }: ReportSignature, sheets: Sheets): void {
  drawSection({ heading, state: '', rows }, sheets)
  sheets.strokes(strokes.map(pointsOf), PAD, name)
}

/** One that cannot be drawn takes nothing else with it: its place says why. */
async function drawPhoto(
  photo: ReportPhoto,
  at: number,
  { all, perSheet, why }: ReportPhotos,
  sheets: Sheets,
  { pictureOf }: Drawing,
): Promise<void> {
  const found = await pictureOf(photo, all.length)
  if (found.kind === 'picture') sheets.picture(found.picture, photo.captions, at, perSheet)
  else sheets.picture(null, [why[found.kind], ...photo.captions], at, perSheet)
}

function drawSection({ heading, state, rows, note }: ReportSection, sheets: Sheets): void {
  sheets.heading(heading, state)
  for (const { label, value } of rows) sheets.row(label, value)
  if (note !== undefined) sheets.text(note)
}

/** What a file system takes, also one that knows no long names. */
export const fileNameOf = (title: string): string =>
  Array.from(title.replace(/[\\/:*?"<>|\s\p{Cc}]+/gu, '-'))
    .slice(0, 60)
    .join('')
