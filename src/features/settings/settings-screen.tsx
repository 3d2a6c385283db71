import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import {
  Contrast,
  Eye,
  Moon,
  Sun,
  LogOut,
  FileWarning,
  Gauge,
  LifeBuoy,
  Smartphone,
  KeyRound,
} from 'lucide-react'
import {
  type Theme,
  useLiveQuery,
  useServices,
  useValue,
  useSession,
  type LockControl,
} from '#data/context/app-context.tsx'
import { useLockControl } from '#data/context/use-lock-control.ts'
import { type ChoiceOption, RadioGroup } from '#ui/controls/choice.tsx'
import { Narrow } from '#ui/layout/desk.tsx'
import { FormLayout, Pad, Lead } from '#ui/layout/layout.tsx'
import { Section } from '#ui/layout/section.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { Switch } from '#ui/controls/switch.tsx'
import { useLater } from '#ui/feedback/long-wait.tsx'
import { OfflineSection, storedRequests$, UNKNOWN_FACTS, useStorageFacts } from './offline-section.tsx'
import { TelemetrySection } from './telemetry-section.tsx'
import { UserFlag } from '#schemas/codes.ts'
import { shownLabel } from '#lib/language.ts'
import { ButtonLink, Button } from '#ui/controls/button.tsx'
import { Def, Defs } from '#ui/layout/defs.tsx'
import { CrmChoice } from '#ui/controls/crm-choice.tsx'
import { LanguageChoice } from '#ui/language/language-choice.tsx'
import type { LockAfter } from '#lib/browser/screen-lock.ts'

/** The screen 設定. @param offline a further section below オフライン保存 */
export function SettingsScreen({ offline }: { offline?: ReactNode }) {
  const { t } = useLingui()
  const { Frame, language } = useServices()
  return (
    <Frame title={t`設定`} tabs>
      <FormLayout>
        <Brightness />
        <LanguageChoice language={language} />
      </FormLayout>
      <Sections offline={offline} />
    </Frame>
  )
}

/** Time in ms after which incomplete sections are shown, because unreadable storage or missing code must not block ログアウト. */
const LONGEST_MS = 3_000

/** Shows all sections at once, because a section that appears later would push the others down. */
function Sections({ offline }: { offline: ReactNode }) {
  const stored = useLiveQuery('settings-stored', storedRequests$)
  const facts = useStorageFacts(stored?.confirmedAt)
  const lock = useLockControl()
  const isLate = useLater(LONGEST_MS)
  if ((!facts || !lock) && !isLate) return <ViewSkeleton />
  return (
    <Narrow>
      <PhotoSection />
      <OfflineSection stored={stored} facts={facts ?? UNKNOWN_FACTS} />
      {offline}
      {lock && <LockSection control={lock} />}
      <AccountSection />
      <CrmSection />
      <AppSection />
      <TelemetrySection />
    </Narrow>
  )
}

function Brightness() {
  const { t } = useLingui()
  const { theme } = useServices()
  const options: ChoiceOption<Theme>[] = [
    { value: 'system', label: t`端末に合わせる`, icon: Contrast },
    { value: 'light', label: t`明るい`, icon: Sun },
    { value: 'dark', label: t`暗い（地下）`, icon: Moon },
    { value: 'outdoor', label: t`くっきり（屋外）`, icon: Eye },
  ]
  return (
    <RadioGroup
      legend={t`画面の明るさ`}
      options={options}
      value={useValue(theme)}
      onChange={(chosen) => theme.set(chosen)}
    />
  )
}

function PhotoSection() {
  const { t } = useLingui()
  const { photo } = useServices()
  return (
    <Section heading={t`写真`}>
      <Switch
        label={t`写真を元のサイズで送信`}
        note={t`オフのときは長辺2048pxに縮小して送信します。`}
        checked={useValue(photo.original)}
        onChange={(on) => photo.original.set(on)}
      />
    </Section>
  )
}

function AccountSection() {
  const { t } = useLingui()
  const { version } = useServices()
  const user = useSession()?.userInfo
  return (
    <Section heading={t`アカウント`}>
      <Defs>
        <Def label={t`ユーザー`}>{user?.loginUserName}</Def>
        <Def label={t`役割`}>{user && shownLabel(UserFlag.label(String(user.userFlag)))}</Def>
        <Def label={t`バージョン`}>
          <span className="num">{version}</span>
        </Def>
      </Defs>
      <Pad>
        <ButtonLink to="/logout" search={{}} variant="danger" tall wide icon={LogOut}>
          {t`ログアウト`}
        </ButtonLink>
      </Pad>
    </Section>
  )
}

/** 接続先: shown only if there are several CRMs (decisions/config). */
function CrmSection() {
  const { crms } = useServices()
  const all = useValue(crms)
  return all.length > 0 && <CrmChoice crms={all} onChoose={crms.choose} />
}

/** アプリ. It is below the other sections, because the button for installation may appear at any time. */
function AppSection() {
  const { t } = useLingui()
  const { errorLog, install } = useServices()
  const count = useValue(errorLog) ?? 0
  const canInstall = useValue(install)
  const links = [
    { to: '/settings/figures', icon: Gauge, text: t`動作状況` },
    {
      to: '/error-logs',
      icon: FileWarning,
      text: count > 0 ? t`エラーレポート（${count}件）` : t`エラーレポート`,
    },
    { to: '/settings/support', icon: LifeBuoy, text: t`支援ファイルを共有` },
  ] as const
  return (
    <Section heading={t`アプリ`}>
      {links.map(({ to, icon, text }) => (
        <Pad key={to}>
          <ButtonLink to={to} tall wide icon={icon}>
            {text}
          </ButtonLink>
        </Pad>
      ))}
      {canInstall && (
        <Pad>
          <Button tall wide icon={Smartphone} onClick={() => void install.ask()}>
            {t`ホーム画面に追加`}
          </Button>
        </Pad>
      )}
    </Section>
  )
}

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
