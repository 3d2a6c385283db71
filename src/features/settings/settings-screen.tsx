import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import { Contrast, Eye, Moon, Sun, LogOut } from 'lucide-react'
import { type Theme, useLiveQuery, useServices, useValue, useSession } from '#data/context/app-context.tsx'
import { useLockControl } from '#data/context/use-lock-control.ts'
import { type ChoiceOption, RadioGroup } from '#ui/controls/choice.tsx'
import { Narrow } from '#ui/layout/desk.tsx'
import { FormLayout, Pad } from '#ui/layout/layout.tsx'
import { SectionHead } from '#ui/layout/section.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { Switch } from '#ui/controls/switch.tsx'
import { useLater } from '#ui/base/use-later.ts'
import { AppSection } from './app-section.tsx'
import { LockSection } from './lock-section.tsx'
import { OfflineSection } from './offline-section.tsx'
import { TelemetrySection } from './telemetry-section.tsx'
import { storedRequests$, UNKNOWN_FACTS, useStorageFacts } from './storage-facts.ts'
import { UserFlag } from '#schemas/codes.ts'
import { shownLabel } from '#lib/language.ts'
import { ButtonLink } from '#ui/controls/button.tsx'
import { Def, Defs } from '#ui/layout/defs.tsx'
import { CrmChoice } from '#ui/controls/crm-choice.tsx'
import { LanguageChoice } from '#ui/language/language-choice.tsx'

/** The screen 設定. @param offline what else can be used without a signal, below オフライン保存 */
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

/** Longest wait in ms: unreadable storage or missing code must not block ログアウト. */
const LONGEST_MS = 3_000

/** Renders all sections together once the sizes are known, so that none is pushed down later. */
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
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id}>{t`写真`}</SectionHead>
      <Switch
        label={t`写真を元のサイズで送信`}
        note={t`オフのときは長辺2048pxに縮小して送信します。`}
        checked={useValue(photo.original)}
        onChange={(on) => photo.original.set(on)}
      />
    </section>
  )
}

/** アカウント: the logged-in user, and ログアウト, which asks for confirmation if something is unsent. */
function AccountSection() {
  const { t } = useLingui()
  const { version } = useServices()
  const user = useSession()?.userInfo
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id}>{t`アカウント`}</SectionHead>
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
    </section>
  )
}

/** 接続先: shown only if there are several CRMs (decisions/config). */
function CrmSection() {
  const { crms } = useServices()
  const all = useValue(crms)
  if (all.length === 0) return null
  return (
    <CrmChoice
      crms={all.map((crm) => ({ ...crm, isRemoved: crm.session === 'removed' }))}
      onChoose={crms.choose}
    />
  )
}
