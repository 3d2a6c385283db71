import { useEffect, useRef, useState } from 'react'
import { useServices, useUserData } from '#data/app-context.tsx'
import { FONT_NAME, loadFont } from './report-font.ts'
import { pictureOf, type ReportPhoto } from './report-photos.ts'
import { drawReport, type WorkReport } from './work-report.ts'

/** What became of making a report. `percent` counts what is drawn; the font is being read before that. */
export type Making =
  | { state: 'none' | 'no-font' | 'failed' }
  | { state: 'making'; percent: number }
  | { state: 'made'; title: string; file: Blob; missing: readonly string[] }

/** Makes the report of what the device has at that moment; what is under way ends with the screen. */
export function useMaking() {
  const { errorLog, photo } = useServices()
  const data = useUserData()
  const [making, setMaking] = useState<Making>({ state: 'none' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const make = async (report: WorkReport) => {
    if (!data) return
    const { bytes } = data
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setMaking({ state: 'making', percent: 0 })
    const onProgress = (done: number) => setMaking({ state: 'making', percent: Math.round(done * 100) })
    const pictures = async (of: ReportPhoto, count: number) =>
      pictureOf(of, count, { bytes, jobs: await photo.jobs() })
    const drawing = { signal: own.signal, breathe, onProgress, pictureOf: pictures }
    const made = await madeOf(report, drawing).catch((error: unknown): Making => {
      if (!own.signal.aborted) errorLog.note(error)
      return { state: 'failed' }
    })
    if (!own.signal.aborted) setMaking(made)
  }
  return {
    making,
    make,
    stop() {
      running.current?.abort()
      setMaking({ state: 'none' })
    },
  }
}

async function madeOf(report: WorkReport, drawing: Parameters<typeof drawReport>[2]): Promise<Making> {
  const font = await loadFont({ caches, fetch: fetch.bind(globalThis) }, drawing.signal).catch(() => null)
  if (!font) return { state: 'no-font' }
  const { createSheets } = await import('./pdf/sheets.ts')
  const { readTrueType } = await import('./pdf/true-type.ts')
  const sheets = createSheets(readTrueType(font), FONT_NAME)
  const file = await drawReport(report, sheets, drawing)
  return { state: 'made', title: report.title, file, missing: sheets.missing() }
}

/** The next task: the page draws and answers before it. */
const breathe = () => new Promise<void>((done) => void setTimeout(done, 0))
