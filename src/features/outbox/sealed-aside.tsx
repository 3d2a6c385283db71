import { useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { useServices, useUserData, useValue } from '#data/app-context.tsx'
import type { Aside } from '#data/seal/aside.ts'
import { requiredIf } from '#form/required-if.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmSheet } from '#ui/confirm-sheet.tsx'
import { FlashBanner } from '#ui/flash.tsx'
import { Pad } from '#ui/layout.tsx'
import { SectionHead } from '#ui/section.tsx'

/** 封印中: what was saved under a password that has been changed since (decision 0075). */
export function SealedAside() {
  const data = useUserData()
  return data && <Section aside={data.aside} />
}

function Section({ aside }: { aside: Aside }) {
  const { t } = useLingui()
  const id = useId()
  const count = useValue(aside)
  const [isAsking, setAsking] = useState(false)
  if (count === 0) return null
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id}>{t`封印中 ${count}件`}</SectionHead>
      <Pad>
        <p>{t`パスワードが変わる前に保存した内容です。以前のパスワードで開くと、送信の待ちに戻ります。開くまで、だれにも読めません。`}</p>
        <OpenForm aside={aside} />
        <Button variant="plain" onClick={() => setAsking(true)}>{t`封印中の内容を破棄`}</Button>
      </Pad>
      {isAsking && (
        <ConfirmSheet
          question={t`封印中の${count}件を破棄しますか？送信されていない内容は元に戻せません。`}
          destructive
          onYes={() => {
            setAsking(false)
            void aside.discard()
          }}
          onNo={() => setAsking(false)}
        />
      )}
    </section>
  )
}

function OpenForm({ aside }: { aside: Aside }) {
  const { t } = useLingui()
  const { flash } = useServices()
  const [isWrong, setWrong] = useState(false)
  const form = useDraftForm({
    defaultValues: { password: '' },
    onSubmit: async ({ password }) => {
      const isOpen = await aside.open(password)
      setWrong(!isOpen)
      if (isOpen) flash.show('success', t`封印を開きました。内容は送信の待ちに戻りました。`)
      else form.reset({ password: '' }, { keepDefaultValues: true })
    },
  })
  return (
    <form.AppForm>
      <form.PlainForm>
        {isWrong && <FlashBanner mode="danger" text={t`以前のパスワードと違います。`} />}
        <form.AppField name="password" validators={always}>
          {(field) => <field.PasswordField label={t`以前のパスワード`} required enterKeyHint="go" />}
        </form.AppField>
        <form.SubmitButton wide>{t`封印を開く`}</form.SubmitButton>
      </form.PlainForm>
    </form.AppForm>
  )
}

const always = requiredIf([], () => true)
