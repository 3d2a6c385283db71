/** The handler of the push of photos, without a device: what is unsent, and how a photo goes, the test decides. */
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { createPhotoSender } from '#sync/photos/photo-sender.ts'
import type { Gate } from '#sync/scheduler/gate.ts'

type Parts = Parameters<typeof createPhotoSender>[0]

const OPEN: Gate = { passed: async () => undefined, failed: () => undefined, succeeded: () => undefined }

/** @param unsent keys, in the order of saving */
export function photoSenderOf(
  unsent: () => readonly string[],
  { gate, ...over }: Pick<Parts, 'send'> & Partial<Omit<Parts, 'gate'>> & { gate?: Partial<Gate> },
) {
  return createPhotoSender({
    gate: { ...OPEN, ...gate },
    ageCheck: async () => null,
    store: { unsent: async () => unsent().map((key) => ({ key, wish: 'none' }) as PhotoRecord) },
    grant: async () => undefined,
    accepted: () => 0,
    isStopped: () => false,
    elapsed: () => 0,
    wait: async () => undefined,
    failed: (error) => {
      throw error
    },
    ...over,
  })
}
