/** A phone that shares photos: the worker's side, and the user's keys. */
import { openReceivedStore } from '#data/received/received-store.ts'
import { receive } from '#data/received/receive.ts'
import { ensureReceiver, fileOpener } from '#data/received/received-keys.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import { PLAIN } from '../../support/plain-sealer.ts'

export const NOW = Date.parse('2026-11-20T12:00:00+09:00')

/** A JPEG as far as anyone looks. */
export function jpegFile(name: string, size = 2_000, lastModified = NOW - 60_000): File {
  const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 31 + name.length * 17) % 256)
  bytes.set([0xff, 0xd8, 0xff, 0xe0])
  return new File([bytes], name, { type: 'image/jpeg', lastModified })
}

export function receiving({ user = 'genba-1', sealer = PLAIN }: { user?: string; sealer?: Sealer } = {}) {
  const store = openReceivedStore()
  const problems: unknown[] = []
  const parts = { store, sealer, user }
  let now = NOW
  return {
    store,
    problems,
    parts,
    at: (ms: number) => void (now = ms),
    signIn: () => ensureReceiver(parts, now),
    share: (files: readonly File[], room?: StorageManager) =>
      receive(files, {
        store,
        now: () => now,
        newId: () => crypto.randomUUID(),
        room,
        report: (problem) => void problems.push(problem),
      }),
    /** The files that the user can open now, oldest first; null for what stays closed. */
    async opened() {
      const open = await fileOpener(parts)
      return Promise.all((await store.waiting()).map(open))
    },
  }
}

export const bytesOf = async (file: Blob) => Buffer.from(await file.arrayBuffer()).toString('base64')
