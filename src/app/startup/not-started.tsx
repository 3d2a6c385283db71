/** Texts of a start that takes long or fails (sync RULES SV1). */
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { isMissingCode } from '#lib/browser/missing-code.ts'
import { isStorageError } from '#lib/browser/storage-full.ts'
import { activateJapanese } from '#messages/activate-language.ts'
import { Button } from '#ui/controls/button.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { LongWait } from '#ui/feedback/long-wait.tsx'
import styles from './not-started.module.css'

export const NotStarted = ({ error }: { error: unknown }) => (
  <WithTexts>
    <Why error={error} />
  </WithTexts>
)

/** Shows a notice at the foot of the page that the app has not started yet. @returns a function that removes it */
export function showLongWait(): () => void {
  const place = document.createElement('div')
  place.className = styles['not-yet'] ?? ''
  document.body.append(place)
  const shown = createRoot(place)
  shown.render(
    <WithTexts>
      <LongWait />
    </WithTexts>,
  )
  return () => {
    shown.unmount()
    place.remove()
  }
}

/** Provides the app's language, or Japanese if the language is not known yet. */
function WithTexts({ children }: { children: ReactNode }) {
  if (i18n.locale === '') activateJapanese(i18n)
  return <I18nProvider i18n={i18n}>{children}</I18nProvider>
}

const isRefused = (error: unknown) =>
  (error instanceof DOMException && error.name === 'SecurityError') || isStorageError(error)

function Why({ error }: { error: unknown }) {
  const { t } = useLingui()
  const advice = isMissingCode(error)
    ? t`電波の届く場所で、もう一度読み込んでください。`
    : isRefused(error)
      ? t`ブラウザーの保存領域を使えません。Cookieやサイトデータのブロック、プライベートモードをやめてから、もう一度読み込んでください。`
      : t`予期しないエラーが発生しました。もう一度読み込んでください。`
  return (
    <Empty art="device" heading={t`アプリを開けません`} advice={advice} alert>
      <Button variant="primary" onClick={() => location.reload()}>{t`読み込み直す`}</Button>
    </Empty>
  )
}
