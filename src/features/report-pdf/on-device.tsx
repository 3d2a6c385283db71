import { useLingui } from '@lingui/react/macro'
import { CircleX, Download, TriangleAlert } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useOnline } from '#data/context/app-context.tsx'
import { Button } from '#ui/controls/button.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { SectionHead } from '#ui/layout/section.tsx'
import { DOWNLOAD_MB, isOnDevice, loadWriter, type WriterMissing } from './report-font.ts'

type State = 'unknown' | 'here' | 'none' | 'loading' | WriterMissing

/** Whether reports can be made without a signal, and what makes it so. */
export function ReportOnDevice() {
  const { t } = useLingui()
  const online = useOnline()
  const [state, setState] = useState<State>('unknown')
  const running = useRef<AbortController | null>(null)
  useEffect(() => {
    void isOnDevice().then((isHere) => setState(isHere ? 'here' : 'none'))
    return () => running.current?.abort()
  }, [])
  const load = async () => {
    const own = new AbortController()
    running.current = own
    setState('loading')
    const writer = await loadWriter(own.signal).catch(() => 'none' as const)
    setState(typeof writer === 'string' ? writer : 'here')
  }
  if (state === 'unknown') return <p>&nbsp;</p>
  if (state === 'here') return <p>{t`作業報告書は、電波がなくても作成できます。`}</p>
  return (
    <>
      <p>{t`電波のない場所でも作成するには、文字のデータなど（約${DOWNLOAD_MB}MB）を端末に保存してください。`}</p>
      {state === 'loading' ? (
        <Button icon={CircleX} wide onClick={() => running.current?.abort()}>{t`やめる`}</Button>
      ) : (
        <Button icon={Download} wide disabled={!online} onClick={() => void load()}>
          {t`この端末で使えるようにする`}
        </Button>
      )}
      <output>{state === 'loading' && t`保存しています…`}</output>
      {(state === 'away' || state === 'no-room') && <WhyMissing why={state} />}
    </>
  )
}

/** Why a report cannot be made, and what to do. */
export function WhyMissing({ why }: { why: WriterMissing }) {
  const { t } = useLingui()
  return (
    <div role="alert">
      <Mark icon={TriangleAlert} tone="warn">
        {why === 'no-room'
          ? t`端末の空きが足りないため、文字のデータなど（約${DOWNLOAD_MB}MB）を保存できませんでした。使わないアプリや写真を端末から消して、もう一度お試しください。`
          : t`文字のデータなど（約${DOWNLOAD_MB}MB）がまだこの端末にありません。電波の届く場所で一度作成すると、次からは電波がなくても作成できます。`}
      </Mark>
    </div>
  )
}

/** 作業報告書 in 設定. */
export function ReportSection() {
  const { t } = useLingui()
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id}>{t`作業報告書`}</SectionHead>
      <Pad>
        <ReportOnDevice />
      </Pad>
    </section>
  )
}
