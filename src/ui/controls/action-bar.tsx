import { createLink } from '@tanstack/react-router'
import { CircleAlert, CloudOff, type LucideIcon } from 'lucide-react'
import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import { Icon, cx } from '#ui/base/icon.tsx'
import { createPathLink } from './path-link.tsx'
import styles from './action-bar.module.css'

interface ActionBarProps {
  hint?: string | undefined
  hintIcon?: LucideIcon | undefined
  /** Says what prevents the action. It replaces `hint`, and screen readers announce it at once. */
  error?: string | undefined
  /** Says what the buttons act on, for example 3件を選択中. Screen readers announce its changes. */
  status?: string | undefined
  /** Accessible name of the button group. Required with several ActionButtons. */
  label?: string | undefined
  children: ReactNode
}

/** The bar at the bottom of a screen: one primary Button, or up to three ActionButtons. */
export const ActionBar = ({ hint, hintIcon = CloudOff, error, status, label, children }: ActionBarProps) => (
  <div className={styles.bar} role={label === undefined ? undefined : 'group'} aria-label={label}>
    {status !== undefined && <output className={cx(styles.hint, styles.status)}>{status}</output>}
    {error !== undefined ? (
      <p className={cx(styles.hint, styles.error)} role="alert">
        <Icon as={CircleAlert} />
        {error}
      </p>
    ) : (
      hint !== undefined && (
        <p className={styles.hint}>
          <Icon as={hintIcon} />
          {hint}
        </p>
      )
    )}
    {children}
  </div>
)

interface ActionLook {
  icon: LucideIcon
  label: string
  /** Second line. It describes the button and is not part of its accessible name. */
  sub?: string | undefined
  tone?: 'quiet' | 'main' | 'danger' | undefined
  /** Fades the icon, because the records that the button opens are missing or incomplete. */
  isFaded?: boolean | undefined
}

/** A two-line button in the action bar. Example: 退館報告 / 入館 08:56. */
export const ActionButton = (props: ActionLook & ComponentPropsWithRef<'button'>) => (
  <button {...useAct(props)} type="button" />
)

function ActionAnchor(props: ActionLook & Omit<ComponentPropsWithRef<'a'>, 'children'>) {
  const { children, ...anchor } = useAct(props)
  return (
    <a {...anchor} aria-current={undefined}>
      {children}
    </a>
  )
}

export const ActionLink = createLink(ActionAnchor)
export const PathAction = createPathLink(ActionAnchor)

function useAct<P extends ActionLook>({ icon, label, sub, tone = 'quiet', isFaded, ...rest }: P) {
  const id = useId()
  return {
    ...rest,
    className: cx(styles.act, styles[tone]),
    'aria-labelledby': id,
    'aria-describedby': sub === undefined ? undefined : `${id}-sub`,
    children: (
      <>
        <span className={styles.label} id={id}>
          <Icon as={icon} className={isFaded ? styles.faded : undefined} />
          {label}
        </span>
        {sub !== undefined && (
          // CSS draws `data-text`: visible text would have to be part of the accessible name (WCAG 2.5.3).
          <span className={cx(styles.sub, 'num')} data-text={sub}>
            <span className="vh" id={`${id}-sub`}>
              {sub}
            </span>
          </span>
        )}
      </>
    ),
  }
}
