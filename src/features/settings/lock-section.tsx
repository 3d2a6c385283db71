import { useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { type LockControl, useServices, useValue } from '#data/context/app-context.tsx'
import type { LockAfter } from '#lib/browser/screen-lock.ts'
import { Button } from '#ui/controls/button.tsx'
import { type ChoiceOption, RadioGroup } from '#ui/controls/choice.tsx'
import { Lead, Pad } from '#ui/layout/layout.tsx'
import { Section } from '#ui/layout/section.tsx'

/** 画面のロック: when the screen locks, and the passkey that unlocks it instead of the password (decisions/encryption). */
export function LockSection({ control }: { control: LockControl }) {
  const { t } = useLingui()
  const hasKey = useValue(control.passkey) !== 'no-key'
  return (
    <Section heading={t`画面のロック`}>
      {hasKey ? (
        <>
          <Lead>{t`アプリを離れてこの時間がたつとロックします。パスワードかパスキーで開くまで、内容は読めず、送信もしません。`}</Lead>
          <After after={control.after} />
          <Passkey control={control} />
        </>
      ) : (
        <Note>{t`次のログインの後から使えます。`}</Note>
      )}
    </Section>
  )
}

function After({ after }: Pick<LockControl, 'after'>) {
  const { t } = useLingui()
  const options: ChoiceOption<LockAfter>[] = [
    { value: 'off', label: t`しない` },
    { value: '0', label: t`すぐ` },
    { value: '5', label: t`5分` },
    { value: '15', label: t`15分` },
    { value: '60', label: t`60分` },
  ]
  return (
    <Pad>
      <RadioGroup
        legend={t`画面のロック`}
        hideLegend
        cols={3}
        options={options}
        value={useValue(after)}
        onChange={(choice) => void after.set(choice)}
      />
    </Pad>
  )
}

function Passkey({ control }: { control: LockControl }) {
  const { t } = useLingui()
  const { flash } = useServices()
  const passkeyState = useValue(control.passkey)
  const [isBusy, setBusy] = useState(false)
  const add = async () => {
    setBusy(true)
    const added = await control.addPasskey().finally(() => setBusy(false))
    if (added === 'set') flash.show('success', t`次からパスキーで開けます。`)
    else if (added === 'cancelled') flash.show('warning', t`パスキーを登録しませんでした。`, 'passkey')
    else
      flash.show(
        'warning',
        t`この端末のパスキーは、開くことに使えません。パスワードで開いてください。`,
        'passkey',
      )
  }
  if (passkeyState === 'set')
    return (
      <>
        <Note>{t`パスキー（顔・指紋）で開けます。パスワードでも開けます。`}</Note>
        <Pad>
          <Button tall wide icon={KeyRound} onClick={() => void control.removePasskey()}>
            {t`パスキーを外す`}
          </Button>
        </Pad>
      </>
    )
  if (passkeyState === 'none')
    return (
      <Pad>
        <Button tall wide icon={KeyRound} busy={isBusy} onClick={() => void add()}>
          {t`パスキーを登録する`}
        </Button>
      </Pad>
    )
  return <Note>{t`この端末ではパスキーで開けません（ブラウザーが対応していません）。`}</Note>
}

const Note = ({ children }: { children: string }) => (
  <Pad>
    <p>{children}</p>
  </Pad>
)
