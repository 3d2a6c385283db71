/** Shows a banner for a save outside a form that failed on the device (sync RULES SV1), for example 再送 or a setting. */
import type { I18n } from '@lingui/core'
import type { FlashStore } from '#data/context/flash-store.ts'
import { isStorageFull } from '#lib/browser/storage-full.ts'
import { putUnsaved, UNSAVED, unsavedBanner } from '#messages/unsaved.ts'

interface NotifyUnsaved {
  flash: FlashStore
  i18n: I18n
  bytes: { cachedBytes(): Promise<number> } | undefined
  storage: StorageManager | undefined
  /** Returns false if a later save has succeeded. The failure is then not shown. */
  isNews: () => boolean
}

export async function notifyUnsaved(error: unknown, { flash, i18n, bytes, storage, isNews }: NotifyUnsaved) {
  const isFull = await isStorageFull(error, storage)
  const sentPhotos = isFull ? await (bytes?.cachedBytes().catch(() => 0) ?? 0) : 0
  if (isNews() && !flash.has(UNSAVED))
    putUnsaved(flash, UNSAVED, unsavedBanner(i18n, { isFull, inputIn: 'no', sentPhotos }))
}
