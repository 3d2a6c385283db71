import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo, useRef, useState, type RefObject } from 'react'
import { useNamedQuery, useServices } from '#data/context/app-context.tsx'
import { useNow } from '#data/context/use-now.ts'
import { visitListQuery } from '#data/visits/first-queries.ts'
import { tokyoToday } from '#lib/time/tokyo-time.ts'
import { carriedDay } from '#lib/time/working-day.ts'
import { createCodeReader, type CodeReader, type NoReading } from './code-reader.ts'
import { targetsOf, type ScanTarget } from './code-meaning.ts'
import { fitting, type Size } from '#lib/image/image.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'
import { useLater } from '#ui/feedback/long-wait.tsx'

/** `unknown`: the codes belong to nothing on this device. `choose`: they have several targets. */
export type Scanned =
  | { kind: 'nothing'; why: NoReading | 'no-code' | 'no-picture' }
  | { kind: 'unknown'; texts: readonly string[] }
  | { kind: 'choose'; targets: readonly ScanTarget[] }

const LATE_MS = 10_000
/** Pause in ms between two frames, so that the phone stays cool and the page responds. */
const PAUSE_MS = 120

type Video = RefObject<HTMLVideoElement | null>

/** Reads codes from the video and picked pictures. Exactly one target opens. @param isOpen false once the popup closes */
export function useScan(video: Video, isLive: boolean, isOpen: boolean) {
  const { photo } = useServices()
  const [scanned, setScanned] = useState<Scanned | null>(null)
  const [isReading, setReading] = useState(false)
  const reader = useReader(isOpen)
  const meaning = useMeaning()
  const show = useOpenTarget()
  const settle = (texts: readonly string[]) => {
    const targets = meaning.of(texts)
    const [only] = targets
    if (only && targets.length === 1) void show(only)
    else setScanned(only ? { kind: 'choose', targets } : { kind: 'unknown', texts })
  }
  const isWatching = isOpen && isLive && scanned === null && !isReading && meaning.isKnown
  const finish = (outcome: Awaited<ReturnType<typeof read>>) =>
    typeof outcome === 'string' ? setScanned({ kind: 'nothing', why: outcome }) : settle(outcome)
  useFrames({ video, isWatching, reader }, finish)
  async function read(file: File): Promise<readonly string[] | NoReading | 'no-code' | 'no-picture'> {
    const pixels = await pixelsOfFile(file, await photo.jobs()).catch(() => null)
    if (!pixels) return 'no-picture'
    if (!reader.isOpen()) return 'no-code'
    const texts = await reader.get().read(pixels, true)
    return texts.length === 0 ? 'no-code' : texts
  }
  return {
    scanned,
    isReading,
    isLate: useLater(LATE_MS, isWatching),
    again: () => setScanned(null),
    show,
    async readFile(file: File) {
      setReading(true)
      const outcome = await read(file)
      if (!reader.isOpen()) return
      setReading(false)
      finish(outcome)
    },
  }
}

function useReader(isOpen: boolean) {
  const reader = useRef<CodeReader | null>(null)
  const isUsed = useRef(false)
  useEffect(() => {
    if (!isOpen) return undefined
    isUsed.current = true
    return () => {
      isUsed.current = false
      reader.current?.close()
      reader.current = null
    }
  }, [isOpen])
  return { isOpen: () => isUsed.current, get: () => (reader.current ??= createCodeReader()) }
}

function useMeaning() {
  const list = useNamedQuery(visitListQuery)
  const now = useNow()
  return useMemo(
    () => ({
      isKnown: list !== undefined,
      of(texts: readonly string[]): ScanTarget[] {
        const today = tokyoToday(now())
        const carried = carriedDay(now())
        return targetsOf(texts, {
          rows: list?.rows ?? [],
          isToday: (row) =>
            row.workingDate === today || (row.workingDate === carried && list?.stateOf(row) !== 'out'),
          today,
          origin: location.origin,
        })
      },
    }),
    [list, now],
  )
}

/** Returns a function that opens a target. The target replaces the popup in the history, so that back skips the popup. */
function useOpenTarget() {
  const navigate = useNavigate()
  return (target: ScanTarget) =>
    target.kind === 'request'
      ? navigate({
          to: '/request/$id',
          params: { id: target.id },
          search: target.workingDate === undefined ? {} : { workingDate: target.workingDate },
          replace: true,
        })
      : navigate({ to: '/report/$deviceId', params: { deviceId: target.deviceId }, replace: true })
}

function useFrames(
  { video, isWatching, reader }: { video: Video; isWatching: boolean; reader: ReturnType<typeof useReader> },
  onOutcome: (outcome: readonly string[] | NoReading) => void,
) {
  const readPixels = useEffectEvent((pixels: ImageData) => reader.get().read(pixels, false))
  const finish = useEffectEvent(onOutcome)
  useEffect(() => {
    if (!isWatching) return undefined
    const end = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const pixelsOf = createFramePixels()
    const readFrame = async () => {
      const pixels = video.current && pixelsOf(video.current)
      const outcome = pixels ? await readPixels(pixels) : []
      if (end.signal.aborted) return
      if (outcome.length === 0 || outcome === 'failed') timer = setTimeout(() => void readFrame(), PAUSE_MS)
      else finish(outcome)
    }
    void readFrame()
    return () => {
      end.abort()
      clearTimeout(timer)
    }
  }, [isWatching, video])
}

const FRAME_EDGE_PX = 1_280
/** Long edge of a still picture in px. It exceeds that of a frame, because a code in a photo of a whole room is small. */
const STILL_EDGE_PX = 2_048

/** Returns a function that reads a video's current frame; null without a picture. All frames share one canvas. */
function createFramePixels(): (video: HTMLVideoElement) => ImageData | null {
  const canvas = document.createElement('canvas')
  return (video) => {
    const size = { width: video.videoWidth, height: video.videoHeight }
    return size.width > 0 ? drawn(canvas, video, fitting(size, FRAME_EDGE_PX)) : null
  }
}

async function pixelsOfFile(file: Blob, jobs: Pick<PhotoJobs, 'thumb'>): Promise<ImageData | null> {
  const jpeg = await jobs.thumb(file, STILL_EDGE_PX).catch(() => undefined)
  if (!jpeg) return null
  const picture = await createImageBitmap(new Blob([jpeg]))
  const canvas = document.createElement('canvas')
  try {
    return drawn(canvas, picture, picture)
  } finally {
    picture.close()
    canvas.width = canvas.height = 0
  }
}

function drawn(canvas: HTMLCanvasElement, picture: CanvasImageSource, { width, height }: Size) {
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return null
  context.drawImage(picture, 0, 0, width, height)
  return context.getImageData(0, 0, width, height)
}
