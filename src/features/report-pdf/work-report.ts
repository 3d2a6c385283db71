/** 作業報告書 as a document: its content in order, without a word of how it is drawn. */
import type { PerSheet } from './pdf/paper.ts'
import type { Sheets } from './pdf/sheets.ts'
import type { PictureOf, ReportPhoto } from './report-photos.ts'
import { PAD, pointsOf, type Signature } from './signature.ts'

export interface ReportRow {
  label: string
  value: string
}

export interface ReportSection {
  heading: string
  /** Whether the CRM has confirmed it; '' if there is nothing to confirm. */
  state: string
  rows: readonly ReportRow[]
  /** A sentence instead of rows, or after them. */
  note?: string | undefined
}

export interface ReportSignature {
  section: ReportSection
  strokes: Signature['strokes']
  /** What the drawing is, for those who listen. */
  name: string
}

export interface WorkReport {
  title: string
  /** Under the title. */
  lead: readonly string[]
  sections: readonly ReportSection[]
  /** Null if nobody has signed. */
  signature: ReportSignature | null
  photos: {
    heading: string
    all: readonly ReportPhoto[]
    perSheet: PerSheet
    /** In the place of a photo that cannot be drawn. */
    why: Readonly<Record<'absent' | 'broken', string>>
  }
  /** At the foot of every sheet. */
  footer: string
}

interface Drawing {
  signal: AbortSignal
  /** Lets the page answer. */
  breathe: () => Promise<void>
  /** The part that is done, 0 to 1. */
  onProgress: (done: number) => void
  pictureOf: (key: string, count: number) => Promise<PictureOf>
}

/** So many photos are made smaller while one is drawn. */
const AHEAD = 2

/** Draws the document on sheets. @throws the signal's reason once it is aborted */
export async function drawReport(report: WorkReport, sheets: Sheets, drawing: Drawing): Promise<Blob> {
  const { title, lead, sections, signature, footer, photos } = report
  const steps = sections.length + photos.all.length + 1
  let done = 0
  const step = async () => {
    drawing.onProgress((done += 1) / steps)
    await drawing.breathe()
    drawing.signal.throwIfAborted()
  }
  sheets.title(title)
  for (const line of lead) sheets.text(line)
  for (const section of sections) {
    drawSection(section, sheets)
    await step()
  }
  if (signature) {
    drawSection(signature.section, sheets)
    sheets.strokes(signature.strokes.map(pointsOf), PAD, signature.name)
  }
  await drawPhotos(photos, sheets, { ...drawing, step })
  const file = await sheets.finish(title, footer)
  drawing.signal.throwIfAborted()
  return file
}

function drawSection({ heading, state, rows, note }: ReportSection, sheets: Sheets): void {
  sheets.heading(heading, state)
  for (const { label, value } of rows) sheets.row(label, value)
  if (note !== undefined) sheets.text(note)
}

/** A photo that cannot be drawn takes nothing else with it: its place says why. */
async function drawPhotos(
  { heading, all, perSheet, why }: WorkReport['photos'],
  sheets: Sheets,
  { pictureOf, step }: Pick<Drawing, 'pictureOf'> & { step: () => Promise<void> },
): Promise<void> {
  if (all.length === 0) return
  sheets.newSheet()
  sheets.heading(heading)
  const found = new Map<number, Promise<PictureOf>>()
  const read = (at: number) => {
    const photo = all[at]
    // A photo whose bytes cannot be read is as good as one that cannot be drawn.
    if (photo)
      found.set(
        at,
        pictureOf(photo.key, all.length).catch(() => 'broken' as const),
      )
  }
  for (let at = 0; at < AHEAD; at += 1) read(at)
  for (const [at, { name, captions }] of all.entries()) {
    read(at + AHEAD)
    const picture = (await found.get(at)) ?? 'broken'
    found.delete(at)
    const place = { name, at, perSheet }
    if (typeof picture === 'string')
      await sheets.picture({ ...place, jpeg: null, lines: [why[picture], ...captions] })
    else await sheets.picture({ ...place, jpeg: picture, lines: captions })
    await step()
  }
}

/** A name that every file system takes, also one without long names. */
export const fileNameOf = (title: string): string =>
  Array.from(title.replace(/[\\/:*?"<>|\s\p{Cc}]+/gu, '-'))
    .slice(0, 60)
    .join('')
