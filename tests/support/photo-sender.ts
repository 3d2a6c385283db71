/** The handler of the push of photos, without a device: what is unsent, and how a photo goes, the test decides. */
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { createPhotoSender } from '#sync/photos/start-photos.ts'
import type { SendStates } from '#sync/changes/send-adapter.ts'
import type { Gate } from '#sync/scheduler/scheduler.ts'

type Parts = Parameters<typeof createPhotoSender>[0]

const OPEN: Gate = { passed: async () => undefined, failed: () => undefined, succeeded: () => undefined }

interface Stubs {
  gate?: Partial<Gate>
  read?: SendStates['sendFacts']
}

/** @param unsent keys, in the order of saving */
export function photoSenderOf(
  unsent: () => readonly string[],
  { gate, read, ...over }: Pick<Parts, 'send'> & Partial<Omit<Parts, 'gate'>> & Stubs,
) {
  return createPhotoSender({
    gate: { ...OPEN, ...gate },
    ageCheck: async () => null,
    store: {
      unsent: async () => unsent().map((key) => ({ key }) as PhotoRecord),
      sendFacts: read ?? (async () => new Map()),
    },
    applyUserRequests: async () => undefined,
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
