/** Who may enter (spec 6): all screens but login, logout and error screens require the permission {ip}. */

/** User flags whose users have the permission {ip}: 5 社外管理者, 6 社外一般社員, 7 社外孫請け業者, 8 社外事務. */
const IP_FLAGS: readonly number[] = [5, 6, 7, 8]

export const mayEnter = (userFlag: number): boolean => IP_FLAGS.includes(userFlag)
