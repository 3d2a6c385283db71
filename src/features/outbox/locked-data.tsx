import { useLingui } from '@lingui/react/macro'
import { Share2, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isBlank } from '#schemas/text.ts'
import { useServices, useUserData, useValue, type LockedData } from '#data/context/app-context.tsx'
import { LOCKED_DATA_FLASH } from '#data/context/flash-store.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { Button } from '#ui/controls/button.tsx'
import { ConfirmSheet } from '#ui/popup/confirm-sheet.tsx'
import { FlashBanner } from '#ui/feedback/flash.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { Section } from '#ui/layout/section.tsx'
import { AS_TEXT, download, shareable, shareFile } from '#lib/browser/share-file.ts'
import { fileStamp } from '#lib/time/tokyo-time.ts'
import styles from './locked-data.module.css'

/** The section 封印中: changes that were saved under an earlier password and cannot be read (decisions/encryption). */
export function LockedData() {
  const data = useUserData()
  return data && <LockedSection lockedData={data.lockedData} />
}

const NONE = { get: () => 0, subscribe: () => () => undefined }

/** Returns the number of changes under an earlier password. */
export const useLockedCount = (): number => useValue(useUserData()?.lockedData ?? NONE)

function LockedSection({ lockedData }: { lockedData: LockedData }) {
  const { t } = useLingui()
  const count = useValue(lockedData)
  const [isAsking, setAsking] = useState(false)
  const { flash } = useServices()
  // This screen shows the same information as the banner.
  useEffect(() => {
    if (count > 0) flash.remove(LOCKED_DATA_FLASH)
  }, [flash, count])
  if (count === 0) return null
  return (
    <Section heading={t`封印中 ${count}件`}>
      <Pad>
        <p>{t`パスワードが変わる前に保存した内容です。以前のパスワードで開くと、送信の待ちに戻ります。開くまで、だれにも読めません。`}</p>
        <div className={styles.open}>
          <OpenForm lockedData={lockedData} />
        </div>
        <div className={styles.else}>
          <Otherwise lockedData={lockedData} count={count} />
          <Button
            variant="danger"
            icon={Trash2}
            onClick={() => setAsking(true)}
          >{t`封印中の内容を破棄`}</Button>
        </div>
      </Pad>
      {isAsking && (
        <ConfirmSheet
          question={t`封印中の${count}件を破棄しますか？送信されていない内容は元に戻せません。`}
          destructive
          onYes={() => {
            setAsking(false)
            void lockedData.discard()
          }}
          onNo={() => setAsking(false)}
        />
      )}
    </Section>
  )
}

function Otherwise({ lockedData, count }: { lockedData: LockedData; count: number }) {
  const { t } = useLingui()
  const recoverable = lockedData.recoverable()
  if (recoverable === 0)
    return <p>{t`以前のパスワードでしか開けません。忘れたときは、開く方法がありません。`}</p>
  return (
    <>
      <p>
        {recoverable < count
          ? t`以前のパスワードを忘れたときは、${count}件のうち${recoverable}件を、封印したまま管理者に渡せます。管理者だけが開けます。渡しても、端末の内容は消えません。`
          : t`以前のパスワードを忘れたときは、封印したまま管理者に渡せます。管理者だけが開けます。渡しても、端末の内容は消えません。`}
      </p>
      <ShareSealed lockedData={lockedData} />
    </>
  )
}

/**
 * Why changes are still locked. `later`: after wrong passwords, the user must wait. `typed`: the password is right, but a
 * form has unsaved input. `spoiled`: the data is damaged.
 */
type Problem = 'wrong' | 'later' | 'typed' | 'spoiled' | 'failed'

function OpenForm({ lockedData }: { lockedData: LockedData }) {
  const { t } = useLingui()
  const { flash, errorLog } = useServices()
  const [problem, setProblem] = useState<Problem | null>(null)
  const form = useDraftForm({
    defaultValues: { password: '' },
    onSubmit: async ({ password }) => {
      setProblem(null)
      const opened = await lockedData.open(password).catch((error: unknown) => {
        errorLog.note(error)
        return 'failed' as const
      })
      if (opened === 'all') return flash.show('success', t`封印を開きました。内容は送信の待ちに戻りました。`)
      form.reset({ password: '' }, { keepDefaultValues: true })
      if (opened !== 'some') return setProblem(opened)
      setProblem(lockedData.stays())
      flash.show(
        'warning',
        t`封印の一部を開きました。開いた内容は送信の待ちに戻りました。残りは封印中のままです。`,
        'sealed',
      )
    },
  })
  const problems: Record<Problem, string> = {
    wrong: t`以前のパスワードと違います。`,
    later: t`パスワードの間違いが続きました。あと約${Math.ceil(lockedData.wait() / MINUTE_MS)}分で、もう一度試せます。`,
    typed: t`パスワードは合っています。同じ画面に入力途中の内容があるため、まだ戻していません。その画面で保存するか破棄してから、もう一度開いてください。`,
    spoiled: t`パスワードは合っていますが、内容が壊れていて開けません。内容は封印中のままです。管理者に知らせてください。`,
    failed: t`開けませんでした。内容は消えていません。アプリを開き直して、もう一度お試しください。`,
  }
  return (
    <form.AppForm>
      <form.PlainForm>
        {problem && <FlashBanner {...(LOOKS[problem] ?? NOT_OPENED)} text={problems[problem]} />}
        <form.AppField name="password" validators={alwaysRequired}>
          {(field) => <field.PasswordField label={t`以前のパスワード`} required enterKeyHint="go" />}
        </form.AppField>
        <form.SubmitButton wide>{t`封印を開く`}</form.SubmitButton>
      </form.PlainForm>
    </form.AppForm>
  )
}

/** `typed` is a warning instead of an error: the password was right, but the draft could not return yet. */
const LOOKS: Partial<Record<Problem, { mode: 'warning'; about: 'sealed' | 'wait' }>> = {
  later: { mode: 'warning', about: 'wait' },
  typed: { mode: 'warning', about: 'sealed' },
}
const NOT_OPENED = { mode: 'danger' } as const
const MINUTE_MS = 60_000

const alwaysRequired = {
  onDynamic: ({ value }: { value: string }) => (isBlank(value) ? 'ec00001' : undefined),
}

/** Shares the data as it is, encrypted. Only the administrator's recovery key opens it (sync RULES SV8). */
function ShareSealed({ lockedData }: { lockedData: LockedData }) {
  const { t } = useLingui()
  const { clock, flash, errorLog } = useServices()
  const [isBusy, setBusy] = useState(false)
  const share = async () => {
    const name = `genba-work-sealed-${fileStamp(clock.now())}`
    const file = { name, content: await lockedData.bundle(), kinds: AS_TEXT }
    const sheet = shareable(file, navigator)
    // The browser refuses to share if the press was too long ago. The file is then downloaded.
    if (sheet && (await shareFile(sheet, navigator)) !== 'refused') return
    download(file, document)
    flash.show('success', t`封印したままのファイルを端末に保存しました。管理者に渡してください。`)
  }
  const press = async () => {
    setBusy(true)
    await share().catch((error: unknown) => {
      errorLog.note(error)
      flash.show('danger', t`ファイルを作れませんでした。内容は端末に残っています。もう一度お試しください。`)
    })
    setBusy(false)
  }
  return (
    <Button icon={Share2} wide busy={isBusy} onClick={() => void press()}>
      {t`封印したまま管理者に渡す`}
    </Button>
  )
}
