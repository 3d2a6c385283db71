import { useLingui } from '@lingui/react/macro'
import { Download, FileSearch, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useOnline } from '#data/context/app-context.tsx'
import { Button, ButtonLink } from '#ui/controls/button.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { Section } from '#ui/layout/section.tsx'
import { DOWNLOAD_MB, isOnDevice, loadWriter, type WriterMissing } from './report-font.ts'

/** Says if reports can be made offline. If not, a button downloads the font and the library. */
export function ReportOnDevice() {
  const { t } = useLingui()
  const online = useOnline()
  const [state, setState] = useState<'unknown' | 'here' | 'none' | 'loading' | WriterMissing>('unknown')
  useEffect(() => {
    void isOnDevice().then((isHere) => setState(isHere ? 'here' : 'none'))
  }, [])
  const load = async () => {
    setState('loading')
    const writer = await loadWriter()
    setState(typeof writer === 'string' ? writer : 'here')
  }
  if (state === 'unknown') return <p>&nbsp;</p>
  if (state === 'here') return <p>{t`作業報告書は、電波がなくても作成できます。`}</p>
  return (
    <>
      <p>{t`電波のない場所でも作成するには、文字のデータなど（約${DOWNLOAD_MB}MB）を端末に保存してください。`}</p>
      <Button icon={Download} wide busy={state === 'loading'} disabled={!online} onClick={() => void load()}>
        {t`この端末で使えるようにする`}
      </Button>
      <output>{state === 'loading' && t`保存しています…`}</output>
      {(state === 'not-here' || state === 'no-room') && <Problem why={state} />}
    </>
  )
}

/** Says why the PDF could not be made, and what the user can do. */
export function Problem({ why }: { why: WriterMissing | 'failed' }) {
  const { t } = useLingui()
  const texts = {
    'no-room': t`端末の空きが足りないため、文字のデータなど（約${DOWNLOAD_MB}MB）を保存できませんでした。使わないアプリや写真を端末から消して、もう一度お試しください。`,
    'not-here': t`文字のデータなど（約${DOWNLOAD_MB}MB）がまだこの端末にありません。電波の届く場所で一度作成すると、次からは電波がなくても作成できます。`,
    failed: t`PDFを作成できませんでした。報告の内容は端末に残っています。もう一度お試しください。`,
  }
  return (
    <div role="alert">
      <Mark icon={TriangleAlert} tone="warn">
        {texts[why]}
      </Mark>
    </div>
  )
}

export function ReportSection() {
  const { t } = useLingui()
  return (
    <Section heading={t`作業報告書`}>
      <Pad>
        <ReportOnDevice />
        <ButtonLink to="/verify" icon={FileSearch} wide>{t`写真の照合`}</ButtonLink>
      </Pad>
    </Section>
  )
}
