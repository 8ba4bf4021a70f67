/** Actions of administrators on users and the site, as the audit log records them. */
export type AdminAction = 'change_role' | 'change_daily_limit' | 'block' | 'unblock' | 'change_option'
