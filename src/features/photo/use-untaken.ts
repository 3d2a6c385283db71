/** Photos that were picked and not taken: each is said with its reason, and counted. */
import { useLingui } from '@lingui/react/macro'
import { useRef } from 'react'
import { PHOTO_MAX_PIXELS } from '#schemas/limits.ts'
import { isStorageFull } from '#lib/storage-full.ts'
import { messageText } from '#messages/messages.ts'
import { PHOTO_UNSAVED, photoTooLateBanner, photoUnsavedBanner, putUnsaved } from '#messages/unsaved.ts'
import { useServices, useUserData } from '#data/app-context.tsx'
import type { ReadPhoto } from './read-photo.ts'

/** 5000万画素, as people count them. */
const TEN_THOUSAND = 10_000

export function useUntaken() {
  const { t, i18n } = useLingui()
  const { flash, errorLog, photo: settings } = useServices()
  const data = useUserData()
  const count = useRef(0)
  const unkept = useRef(0)
  return {
    /** How many there were since the form opened. */
    count: () => count.current,
    /** How many of them would have been photos. */
    unkept: () => unkept.current,
    /** It cannot be a photo of the CRM. */
    refused(why: Extract<ReadPhoto, { kind: 'problem' }>['key']): void {
      count.current += 1
      const n = PHOTO_MAX_PIXELS / TEN_THOUSAND
      const text =
        why === 'pixels'
          ? t`写真は${n}万画素以下にしてください。`
          : messageText(i18n, why, { n: settings.maxMb })
      flash.show('info', text)
    },
    /** It could not be read, or the device did not take it. */
    async failed(reason: unknown): Promise<void> {
      count.current += 1
      unkept.current += 1
      if (data?.db.closed) return putUnsaved(flash, PHOTO_UNSAVED, photoTooLateBanner(i18n))
      if (!(await isStorageFull(reason, navigator.storage))) {
        errorLog.note(reason)
        return flash.show('danger', messageText(i18n, 'ec00017'))
      }
      const sentPhotos = await (data?.bytes.cachedBytes().catch(() => 0) ?? 0)
      putUnsaved(flash, PHOTO_UNSAVED, photoUnsavedBanner(i18n, sentPhotos))
    },
  }
}
