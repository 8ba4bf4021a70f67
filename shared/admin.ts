/** Actions of administrators on users and the site, as the audit log records them. */
export type AdminAction =
  | 'change_role'
  | 'change_daily_limit'
  | 'block'
  | 'unblock'
  | 'sign_out_user'
  | 'delete_user'
  | 'change_option'
  | 'create_invitation'
  | 'revoke_invitation'
  /** A user has created an account; the administrator is the one who invited them. */
  | 'accept_invitation'
