import { useEffect, useRef, useState } from 'react'
import { useServices, useUserData } from '#data/context/app-context.tsx'
import { chainsOf } from '#data/drafts/photo-chains.ts'
import { proofOf } from '#lib/image/photo-chain.ts'
import { loadWriter, type WriterMissing } from './report-font.ts'
import { drawLabels, type LabelSheet } from './labels.ts'
import { drawReport, pictureOf, type WorkReport } from './work-report.ts'

export type Making =
  | { state: 'none' }
  | { state: 'making'; percent: number }
  | { state: 'problem'; why: WriterMissing | 'failed' }
  | { state: 'made'; title: string; file: Blob; missing: readonly string[] }

/** Makes a report or labels from the data on the device. Unmounting aborts it. */
export function useMaking() {
  const { errorLog, photo } = useServices()
  const data = useUserData()
  const [making, setMaking] = useState<Making>({ state: 'none' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const made = async (report: WorkReport | LabelSheet, signal: AbortSignal): Promise<Making> => {
    const writer = await loadWriter(signal)
    if (typeof writer === 'string') return { state: 'problem', why: writer }
    if (!data) return { state: 'problem', why: 'failed' }
    const { bytes, db } = data
    const sheets = await writer.createSheets(writer.font)
    const drawing = {
      signal,
      breathe,
      onProgress: (done: number) => setMaking({ state: 'making', percent: Math.round(done * 100) }),
    }
    const file = await ('labels' in report
      ? drawLabels(report, sheets, drawing)
      : drawReport(report, sheets, {
          ...drawing,
          pictureOf: async (key, count) => pictureOf(key, count, { bytes, jobs: await photo.jobs() }),
          proofOf: async (photos) => proofOf(await chainsOf(db), photos),
        }))
    return { state: 'made', title: report.title, file, missing: sheets.missing() }
  }
  return {
    making,
    async make(report: WorkReport | LabelSheet) {
      running.current?.abort()
      const own = new AbortController()
      running.current = own
      setMaking({ state: 'making', percent: 0 })
      const end = await made(report, own.signal).catch((error: unknown): Making => {
        if (!own.signal.aborted) errorLog.note(error)
        return { state: 'problem', why: 'failed' }
      })
      if (!own.signal.aborted) setMaking(end)
    },
    stop() {
      running.current?.abort()
      setMaking({ state: 'none' })
    },
  }
}

/** Resolves in the next task, so that the page can render and respond meanwhile. */
const breathe = () => new Promise<void>((done) => void setTimeout(done, 0))
