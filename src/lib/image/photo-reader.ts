/**
 * Prepares photos in a worker, or on the page if the browser cannot draw in a worker:
 *
 *     first call ── worker starts ─┬─ able ──→ all calls go to it
 *                                  └─ unable, fails to start, or dies ──→ all calls run on the page, including unfinished ones
 *
 * The code is loaded when the user presses 写真を追加 or a thumbnail is missing.
 */
import type { PrepareOptions } from './image.ts'
import type { PhotoJobs } from './photo-jobs.ts'
import { ReadTooLong, Unreadable } from './read-in-time.ts'

type PhotoJob = { file: Blob } & (
  | { kind: 'glance' }
  | { kind: 'prepare'; options: PrepareOptions }
  | { kind: 'thumb'; longEdge: number | undefined }
)

export type PhotoCall = PhotoJob & { id: string }

/** `failed`: only this call failed. `late`: reading the file took too long. `unreadable`: the file cannot be read. */
export type PhotoAnswer = { id: string } & (
  | { kind: 'able' | 'unable' | 'failed' | 'late' | 'unreadable' }
  | { kind: 'done'; result: unknown }
)

interface PhotoWorker {
  postMessage(call: PhotoCall): void
  addEventListener(type: 'message', listener: (event: { data: PhotoAnswer }) => void): void
  addEventListener(type: 'error' | 'messageerror', listener: () => void): void
}

interface PhotoReaderOptions {
  /** Undefined if the browser has no workers. @throws if the worker may not start */
  spawn: () => PhotoWorker | undefined
  load: () => Promise<PhotoJobs>
}

export function createPhotoReader({ spawn, load }: PhotoReaderOptions): PhotoJobs {
  let worker: Promise<ReturnType<typeof callsTo> | null> | undefined
  /** What `worker` has resolved to, so that a file reaches a running worker before the page draws its card. */
  let started: Awaited<typeof worker>
  let page: Promise<PhotoJobs> | undefined
  let callCount = 0

  async function start() {
    try {
      const spawned = spawn()
      started = spawned ? await ready(spawned) : null
    } catch {
      started = null
    }
    return started
  }

  const onPage = () => (page ??= load())

  async function run<T>(job: PhotoJob, here: (jobs: PhotoJobs) => Promise<T>): Promise<T> {
    const calls = started === undefined ? await (worker ??= start()) : started
    const answer = calls ? await calls({ ...job, id: String((callCount += 1)) }) : null
    if (answer?.kind === 'done') return answer.result as T
    if (answer) throw notRead(answer)
    // There is no worker, or it has died. Further calls run on the page.
    started = null
    return here(await onPage())
  }

  return {
    async warm() {
      worker ??= start()
      await worker
      if (started === null) await onPage()
    },
    glance: (file) => run({ file, kind: 'glance' }, (jobs) => jobs.glance(file)),
    prepare: (file, options) =>
      run({ file, kind: 'prepare', options }, (jobs) => jobs.prepare(file, options)),
    thumb: (file, longEdge) => run({ file, kind: 'thumb', longEdge }, (jobs) => jobs.thumb(file, longEdge)),
  }
}

function notRead({ kind }: PhotoAnswer): Error {
  if (kind === 'late') return new ReadTooLong('photo: not read in time')
  return kind === 'unreadable' ? new Unreadable('photo: not readable') : new Error('photo: not read')
}

function ready(worker: PhotoWorker): Promise<ReturnType<typeof callsTo> | null> {
  const calls = callsTo(worker)
  return new Promise((resolve) => {
    worker.addEventListener('message', ({ data }) => {
      if (data.kind === 'able') resolve(calls)
      if (data.kind === 'unable') resolve(null)
    })
    worker.addEventListener('error', () => resolve(null))
  })
}

function callsTo(worker: PhotoWorker) {
  const open = new Map<string, (answer: PhotoAnswer | null) => void>()
  let isDead = false
  const die = () => {
    isDead = true
    for (const done of open.values()) done(null)
    open.clear()
  }
  worker.addEventListener('message', ({ data }) => {
    open.get(data.id)?.(data)
    open.delete(data.id)
  })
  worker.addEventListener('error', die)
  worker.addEventListener('messageerror', die)
  return (call: PhotoCall) =>
    new Promise<PhotoAnswer | null>((resolve) => {
      if (isDead) return resolve(null)
      open.set(call.id, resolve)
      worker.postMessage(call)
    })
}
