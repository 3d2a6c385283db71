/** Counts picked files that could not be added as photos. Banners name the files with the reason. */
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { legible } from '#schemas/text.ts'
import { ReadTooLong, Unreadable } from '#lib/image/read-in-time.ts'
import { isStorageFull } from '#lib/browser/storage-full.ts'
import { LANGUAGES, shownLanguage } from '#lib/language.ts'
import { messageText } from '#messages/messages.ts'
import { PHOTO_UNSAVED, photoTooLateBanner, photoUnsavedBanner, putUnsaved } from '#messages/unsaved.ts'
import { useServices, useUserData } from '#data/context/app-context.tsx'
import type { Banner } from '#data/context/flash-store.ts'
import type { PhotoProblem } from './read-photo.ts'

/** Keys of the banners: reading took too long, and the file is unreadable. */
const [LATE, UNREADABLE] = ['photo-late', 'photo-unreadable']

export interface FormBinding {
  /** True if the user has discarded the form. Files that are read later are dropped. */
  isGivenUp: () => boolean
  /** Opens the file picker. Browsers allow this only during a press. */
  pick: () => void
}

interface PickedFile {
  file: File
  again: (files: readonly File[]) => Promise<number>
}

export function useUntaken({ isGivenUp, pick }: FormBinding) {
  const { i18n } = useLingui()
  const { flash, errorLog } = useServices()
  const data = useUserData()
  const count = useRef(0)
  const missed = useRef(0)
  const banners = useUntakenBanners(pick)
  return {
    /** Returns the number of files that were not added since the form opened. */
    count: () => count.current,
    /** Returns the number of files that the device could not store. */
    missed: () => missed.current,
    /** Removes the banner about unreadable files. Called for a new pick, which may include these files. */
    pickedAgain: () => flash.remove(UNREADABLE),
    /** Reports a file that does not meet the rules for photos. */
    refused({ name }: File, problem: PhotoProblem): void {
      count.current += 1
      banners.refused({ name, why: reasonText(i18n, problem) })
    },
    async failed(reason: unknown, picked: PickedFile): Promise<void> {
      count.current += 1
      if (reason instanceof ReadTooLong) return isGivenUp() ? undefined : banners.late(picked)
      if (reason instanceof Unreadable) return isGivenUp() ? undefined : banners.unreadable(picked.file)
      missed.current += 1
      if (data?.db.closed) return putUnsaved(flash, PHOTO_UNSAVED, photoTooLateBanner(i18n))
      if (!(await isStorageFull(reason, navigator.storage))) {
        errorLog.note(reason)
        return flash.show('danger', `${namesOf([picked.file], i18n)}：${messageText(i18n, 'ec00017')}`)
      }
      const sentPhotos = await (data?.bytes.cachedBytes().catch(() => 0) ?? 0)
      putUnsaved(flash, PHOTO_UNSAVED, photoUnsavedBanner(i18n, sentPhotos))
    },
  }
}

/** Returns a number of pixels as text. Examples: `5000万`, `1億1000万`; `50,000,000` in languages other than Japanese. */
function pixelsText(pixels: number): string {
  const { html } = LANGUAGES[shownLanguage()]
  if (html !== 'ja') return pixels.toLocaleString(html)
  const hundredMillions = Math.floor(pixels / 100_000_000)
  const rest = (pixels % 100_000_000) / 10_000
  return (hundredMillions > 0 ? `${hundredMillions}億` : '') + (rest > 0 ? `${rest}万` : '')
}

function reasonText(i18n: I18n, problem: PhotoProblem): string {
  if (problem.why === 'ec00016') return messageText(i18n, problem.why, { n: problem.max })
  if (problem.why === 'pixels') {
    const n = pixelsText(problem.max)
    return i18n._(msg`写真は${n}画素以下にしてください。`)
  }
  return problem.why === 'broken'
    ? i18n._(msg`ファイルが壊れています。別の写真を選択してください。`)
    : messageText(i18n, problem.why)
}

/** Returns one function per reason. Each adds a file to the reason's banner, which lists all its files. */
function useUntakenBanners(pick: () => void) {
  const { t, i18n } = useLingui()
  const { flash } = useServices()
  const without = t`このまま保存すると、この写真は入りません。`
  const unread = { mode: 'danger', title: t`写真を読み込めませんでした`, stays: true } as const
  return {
    late: useCollected<PickedFile>(LATE, (late) => {
      const files = late.map(({ file }) => file)
      const run = () => {
        flash.remove(LATE)
        void late.at(-1)?.again(files)
      }
      return {
        ...unread,
        text: t`${namesOf(files, i18n)}を待ちましたが、読み込めませんでした。クラウドにある写真は、電波の届く場所で読み込めます。${without}`,
        act: { text: t`もう一度読み込む`, run },
      }
    }),
    unreadable: useCollected<File>(UNREADABLE, (files) => ({
      ...unread,
      text: t`${namesOf(files, i18n)}は、選んだあとに変更されたか、削除されています。${without}`,
      act: { text: t`もう一度選ぶ`, run: pick },
    })),
    refused: useCollected<{ name: string; why: string }>('photo-refused', (refused) => {
      const namesWith = (reason: string) =>
        namesOf(
          refused.filter(({ why }) => why === reason),
          i18n,
        )
      const reasons = new Set(refused.map(({ why }) => why))
      return { mode: 'info', text: [...reasons].map((why) => `${namesWith(why)}：${why}`).join('\n') }
    }),
  }
}

/** Returns the names of the first five files. Further files are only counted. */
function namesOf(files: readonly { name: string }[], i18n: I18n): string {
  const names = files.slice(0, 5).map(({ name }) => `「${legible(name)}」`)
  const n = files.length - names.length
  return names.join('') + (n > 0 ? i18n._(msg`ほか${n}枚`) : '')
}

/** Returns a function that adds an item to a banner. The banner shows all items added since it appeared. */
function useCollected<T>(key: string, banner: (all: readonly T[]) => Banner): (one: T) => void {
  const { flash } = useServices()
  const collected = useRef<readonly T[]>([])
  // The banner's button acts on the form, so the banner disappears with the form.
  useEffect(() => () => flash.remove(key), [flash, key])
  return (one) => {
    const all = [...collected.current, one]
    flash.put(key, { ...banner(all), onRemoved: () => (collected.current = []) })
    // Set after `put`: `put` calls `onRemoved` of the replaced banner, which empties the list.
    collected.current = all
  }
}
