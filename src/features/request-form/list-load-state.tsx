/** What is shown instead of data, or below the rows of a list: 読み込み中, 端末にありません, or the text for an empty list. */
import { useLingui } from '@lingui/react/macro'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOnline } from '#data/context/app-context.tsx'
import type { Absence, ListState } from '#data/fetch-requests/interests.ts'
import { useAskAgain } from '#data/context/use-refresh.ts'
import { Button, ButtonLink } from '#ui/controls/button.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { ListEnd, Pad } from '#ui/layout/layout.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'

interface LoadStateProps {
  loadState: ListState
  none: ReactNode
  onRetry: () => void
}

export function ListLoadScreen({ loadState, none, onRetry }: LoadStateProps) {
  const { t } = useLingui()
  const texts = useMissingTexts()
  switch (loadState.state) {
    case 'rows':
      return (
        <>
          <Rest rest={loadState.rest} />
          {loadState.rest === 'failed' && <RetryRow onRetry={onRetry} />}
        </>
      )
    case 'none':
      return none
    case 'reading':
      return <ViewSkeleton />
    case 'absent':
      return <NotOnDevice />
    case 'failed':
      return (
        <Empty art="device" heading={t`読み込めませんでした`} advice={texts.failed} alert>
          <Button variant="primary" icon={RotateCw} onClick={onRetry}>{t`再読み込み`}</Button>
        </Empty>
      )
  }
}

/** A list's load state as one line in a popup, with a retry button: reopening a popup repeats no failed read. */
export function ListLoadLine({ loadState, none }: Omit<LoadStateProps, 'onRetry'>) {
  const { t } = useLingui()
  const texts = useMissingTexts()
  const askAgain = useAskAgain()
  if (loadState.state === 'none') return none
  const missing = loadState.state === 'rows' ? loadState.rest : loadState.state
  return (
    <>
      {loadState.state === 'rows' ? (
        <Rest rest={loadState.rest} />
      ) : (
        <p role={loadState.state === 'reading' ? 'status' : undefined}>{texts[loadState.state]}</p>
      )}
      {missing === 'failed' && <Button icon={RotateCw} onClick={askAgain}>{t`再読み込み`}</Button>}
    </>
  )
}

export function RetryRow({ onRetry }: Pick<LoadStateProps, 'onRetry'>) {
  const { t } = useLingui()
  return (
    <Pad>
      <Button icon={RotateCw} onClick={onRetry}>{t`再読み込み`}</Button>
    </Pad>
  )
}

function Rest({ rest }: { rest: Absence | null }) {
  const { t } = useLingui()
  if (rest === null) return null
  if (rest === 'reading') return <ListEnd loading />
  return (
    <ListEnd>
      {rest === 'failed'
        ? t`ほかの分を読み込めませんでした`
        : t`端末にある分だけです。電波の届く場所で開くと、ほかの分も読み込みます`}
    </ListEnd>
  )
}

/** Shown instead of a request or record that is not on the device: offline, or after a failed read (sync RULES PL4). */
export function NotHere() {
  const { t } = useLingui()
  const online = useOnline()
  const askAgain = useAskAgain()
  if (!online) return <NotOnDevice />
  return (
    <Empty
      art="device"
      heading={t`読み込めませんでした`}
      advice={t`しばらくしてからもう一度お試しください。`}
      alert
    >
      <Button variant="primary" icon={RotateCw} onClick={askAgain}>{t`再読み込み`}</Button>
      <ButtonLink to="/request">{t`依頼検索へ戻る`}</ButtonLink>
    </Empty>
  )
}

/** Empty state for a request or record that is not on the device and cannot be loaded now. */
export function NotOnDevice() {
  const { t } = useLingui()
  return (
    <Empty
      art="device"
      heading={t`端末に保存されていません`}
      advice={t`電波の届く場所で開くと、端末に保存されます。`}
    >
      <ButtonLink to="/request" variant="primary">{t`依頼検索へ戻る`}</ButtonLink>
    </Empty>
  )
}

/** Returns short texts for data that is not on the device. */
export function useMissingWords(): Record<Absence, string> {
  const { t } = useLingui()
  return { reading: t`読み込み中`, absent: t`端末にありません`, failed: t`読み込めません` }
}

/** Returns texts for data that is not on the device, with advice. */
export function useMissingTexts(): Record<Absence, string> {
  const { t } = useLingui()
  return {
    reading: t`読み込み中`,
    absent: t`端末にありません。電波の届く場所で開くと読み込みます`,
    failed: t`読み込めませんでした。時間をおいて、もう一度開いてください`,
  }
}
