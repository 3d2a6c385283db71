import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Contrast, Eye, Moon, Sun, LogOut, FileWarning, Gauge, LifeBuoy, Smartphone } from 'lucide-react'
import { type Theme, useLiveQuery, useServices, useValue, useSession } from '#data/context/app-context.tsx'
import { useLockControl } from '#data/context/use-lock-control.ts'
import { type ChoiceOption, RadioGroup } from '#ui/controls/choice.tsx'
import { Narrow } from '#ui/layout/desk.tsx'
import { FormLayout, Pad } from '#ui/layout/layout.tsx'
import { Section } from '#ui/layout/section.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { Switch } from '#ui/controls/switch.tsx'
import { useLater } from '#ui/feedback/long-wait.tsx'
import { LockSection } from './lock-section.tsx'
import { OfflineSection, storedRequests$, UNKNOWN_FACTS, useStorageFacts } from './offline-section.tsx'
import { TelemetrySection } from './telemetry-section.tsx'
import { UserFlag } from '#schemas/codes.ts'
import { shownLabel } from '#lib/language.ts'
import { ButtonLink, Button } from '#ui/controls/button.tsx'
import { Def, Defs } from '#ui/layout/defs.tsx'
import { CrmChoice } from '#ui/controls/crm-choice.tsx'
import { LanguageChoice } from '#ui/language/language-choice.tsx'

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
