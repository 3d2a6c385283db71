import { useLingui } from '@lingui/react/macro'
import { useOnline } from '#data/app-context.tsx'
import { maySave, type FormAction, type FormSlug } from '#data/offline-policy.ts'
import { SubmitBar } from '#form/form-parts.tsx'

/** 保存, and above it what a save does without a signal. */
export function SaveBar({ slug, action }: { slug: FormSlug; action: FormAction }) {
  const { t } = useLingui()
  const online = useOnline()
  const queued = t`電波がないため、端末に保存して後で送信します`
  const refused = t`電波がないため、編集を保存できません`
  const hint = maySave(slug, action, false) ? queued : refused
  return <SubmitBar hint={online ? undefined : hint}>{t`保存`}</SubmitBar>
}
