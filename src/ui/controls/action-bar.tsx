import { createLink } from '@tanstack/react-router'
import { CircleAlert, CloudOff, type LucideIcon } from 'lucide-react'
import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import { cx } from '#ui/layout/cx.ts'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './action-bar.module.css'

interface ActionBarProps {
  /** What will happen (offline). */
  hint?: string | undefined
  hintIcon?: LucideIcon | undefined
  /** What stands in the way; read out at once, and shown instead of `hint`. */
  error?: string | undefined
  /** What the buttons are about, as it changes: 3件を選択中. */
  status?: string | undefined
  /** Names the group where it holds several ActionButtons. */
  label?: string | undefined
  children: ReactNode
}

/** The foot of a screen: one primary Button, or up to three ActionButtons. */
export function ActionBar({ hint, hintIcon = CloudOff, error, status, label, children }: ActionBarProps) {
  return (
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
}

interface ActLook {
  icon: LucideIcon
  label: string
  /** The second line: describes the button, is not its name. */
  sub?: string | undefined
  tone?: 'quiet' | 'main' | 'danger' | undefined
  /** The icon alone is drawn faint: what it stands for is not there yet, or not all of it. */
  isFaded?: boolean | undefined
}

/** A button of two lines in the bar: 退館報告 / 入館 08:56. */
export function ActionButton({
  icon,
  label,
  sub,
  tone = 'quiet',
  isFaded,
  ...props
}: ActLook & ComponentPropsWithRef<'button'>) {
  const lines = useActLines({ icon, label, sub, isFaded })
  return (
    <button {...props} type="button" className={cx(styles.act, styles[tone])} {...lines.names}>
      {lines.content}
    </button>
  )
}

/** ActionButton as a plain link. */
export function ActionAnchor({
  icon,
  label,
  sub,
  tone = 'quiet',
  isFaded,
  ...props
}: ActLook & Omit<ComponentPropsWithRef<'a'>, 'children'>) {
  const lines = useActLines({ icon, label, sub, isFaded })
  return (
    <a {...props} aria-current={undefined} className={cx(styles.act, styles[tone])} {...lines.names}>
      {lines.content}
    </a>
  )
}

/** ActionButton as a router link. */
export const ActionLink = createLink(ActionAnchor)

function useActLines({ icon, label, sub, isFaded }: ActLook) {
  const id = useId()
  const content = (
    <>
      <span className={styles.label} id={id}>
        <Icon as={icon} className={isFaded ? styles.faded : undefined} />
        {label}
      </span>
      {sub !== undefined && (
        // drawn by the style sheet and read out as the description: as text it would have to be part of the name
        // (WCAG 2.5.3), and the name is what one says to press it
        <span className={cx(styles.sub, 'num')} data-text={sub}>
          <span className="vh" id={`${id}-sub`}>
            {sub}
          </span>
        </span>
      )}
    </>
  )
  const names = { 'aria-labelledby': id, 'aria-describedby': sub === undefined ? undefined : `${id}-sub` }
  return { content, names }
}
