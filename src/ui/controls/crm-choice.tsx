import { useLingui } from '@lingui/react/macro'
import { Button } from './button.tsx'
import { Def, Defs } from '#ui/layout/defs.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { Section } from '#ui/layout/section.tsx'

interface CrmChoiceProps {
  /** At least two CRMs. A CRM that `config.json` no longer lists (`removed`) cannot be chosen. */
  crms: readonly { scope: string; name: string; isShown: boolean; session?: string }[]
  onChoose: (scope: string) => void
}

/** 接続先: shows the chosen CRM and lets the user switch to another. */
export function CrmChoice({ crms, onChoose }: CrmChoiceProps) {
  const { t } = useLingui()
  const shown = crms.find(({ isShown }) => isShown)
  const others = crms.filter(({ isShown, session }) => !isShown && session !== 'removed')
  return (
    <Section heading={t`接続先`}>
      <Defs>
        <Def label={t`いまの接続先`}>{shown?.name}</Def>
      </Defs>
      {others.map(({ scope, name }) => (
        <Pad key={scope}>
          <Button tall wide onClick={() => onChoose(scope)}>{t`「${name}」に切り替える`}</Button>
        </Pad>
      ))}
    </Section>
  )
}
