import { useLingui } from '@lingui/react/macro'
import { Shuffle } from 'lucide-react'
import { useState } from 'react'
import { useServices } from '#data/context/app-context.tsx'
import { useToday } from '#data/context/use-now.ts'
import { shortStampText } from '#lib/time/tokyo-time.ts'
import { Button } from '#ui/controls/button.tsx'
import { Def, Defs } from '#ui/layout/defs.tsx'
import { Lead, Pad } from '#ui/layout/layout.tsx'
import { Section } from '#ui/layout/section.tsx'
import { useAnswer } from './use-answer.ts'

/** 動作記録の送信: shown only if the operator has enabled telemetry (decisions/telemetry), perhaps later than the rest. */
export function TelemetrySection() {
  const { t } = useLingui()
  const { facts, reset } = useTelemetry()
  const today = useToday()
  if (!facts) return null
  const { to, id, sentAt } = facts
  const time = shortStampText(sentAt, today)
  return (
    <Section heading={t`動作記録の送信`}>
      <Lead>{t`アプリの管理者へ、未送信の件数・エラーの種類・速さなどを15分に一回まで送信しています。名前・会社・依頼や報告の内容・写真・位置は含みません。`}</Lead>
      <Defs>
        <Def label={t`送信先`}>{to}</Def>
        <Def label={t`最後の送信`}>
          {time === '' ? t`まだありません` : <span className="num">{time}</span>}
        </Def>
        <Def label={t`端末の番号`} long>
          <output className="num">{id}</output>
          <small>{t`この記録だけに使う無作為な番号です。名前とは結び付いていません。`}</small>
        </Def>
      </Defs>
      <Pad>
        <Button tall wide icon={Shuffle} onClick={() => void reset()}>
          {t`端末の番号を新しくする`}
        </Button>
      </Pad>
    </Section>
  )
}

/** Returns the facts about telemetry. `facts` is null until they are read, and if telemetry is disabled. */
export function useTelemetry() {
  const { telemetry } = useServices()
  const [resets, setResets] = useState(0)
  const facts = useAnswer(resets, () => telemetry.about().catch(() => null))
  const reset = () => telemetry.reset().then(() => setResets(resets + 1))
  return { facts, reset }
}
