/** Shows a save that failed on the device without a form catching it (sync RULES SV1): wishes, drafts, settings. */
import type { I18n } from '@lingui/core'
import type { Services, UserData } from '#data/context/app-context.tsx'
import { isStorageFull } from '#lib/browser/storage-full.ts'
import { putUnsaved, UNSAVED, unsavedBanner } from '#messages/unsaved.ts'

interface Parts {
  flash: Pick<Services['flash'], 'has' | 'put' | 'remove'>
  i18n: I18n
  bytes: Pick<UserData['bytes'], 'cachedBytes'> | undefined
  storage: StorageManager | undefined
  /** False if a later save has succeeded. */
  isNews: () => boolean
}

export async function notifyUnsaved(
  error: unknown,
  { flash, i18n, bytes, storage, isNews }: Parts,
): Promise<void> {
  const isFull = await isStorageFull(error, storage)
  const sentPhotos = isFull ? await (bytes?.cachedBytes().catch(() => 0) ?? 0) : 0
  // the form's own banner says more
  if (isNews() && !flash.has(UNSAVED))
    putUnsaved(flash, UNSAVED, unsavedBanner(i18n, { isFull, inputIn: 'no', sentPhotos }))
}
