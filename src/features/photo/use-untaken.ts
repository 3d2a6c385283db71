/** Photos that were picked and not taken: each is said with its reason, and counted. */
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { PHOTO_MAX_PIXELS } from '#schemas/limits.ts'
import { ReadTooLong } from '#lib/read-in-time.ts'
import { isStorageFull } from '#lib/storage-full.ts'
import { messageText } from '#messages/messages.ts'
import { PHOTO_UNSAVED, photoTooLateBanner, photoUnsavedBanner, putUnsaved } from '#messages/unsaved.ts'
import { useServices, useUserData } from '#data/app-context.tsx'
import type { ReadPhoto } from './read-photo.ts'

/** The banner of photos whose files did not come. */
const UNREAD = 'photo-unread'

/** 5000万画素, as people count them. */
const TEN_THOUSAND = 10_000

/** A file, and the form that it was picked for. */
interface Picked {
  file: File
  /** The form was left unsaved on purpose. */
  isGivenUp: () => boolean
  again: (files: readonly File[]) => void
}

export function useUntaken() {
  const { t, i18n } = useLingui()
  const { flash, errorLog, photo: settings } = useServices()
  const data = useUserData()
  const count = useRef(0)
  const unkept = useRef(0)
  const unread = useUnread()
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
    async failed(reason: unknown, picked: Picked): Promise<void> {
      count.current += 1
      if (reason instanceof ReadTooLong) return picked.isGivenUp() ? undefined : unread(picked)
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

/** Files that did not come in time: one banner names them all, and offers them again. */
function useUnread() {
  const { t } = useLingui()
  const { flash } = useServices()
  const unread = useRef<readonly File[]>([])
  // what it offers is of this form
  useEffect(() => () => flash.remove(UNREAD), [flash])
  return ({ file, again }: Picked): void => {
    const files = [...unread.current, file]
    const names = files.map(({ name }) => `「${name}」`).join('')
    const run = () => {
      flash.remove(UNREAD)
      again(files)
    }
    flash.put(UNREAD, {
      mode: 'danger',
      title: t`写真を読み込めませんでした`,
      text: t`${names}を待ちましたが、読み込めませんでした。クラウドにある写真は、電波の届く場所で読み込めます。このまま保存すると、この写真は入りません。`,
      stays: true,
      act: { text: t`もう一度読み込む`, run },
      onGone: () => (unread.current = []),
    })
    // the banner before is replaced by now
    unread.current = files
  }
}
