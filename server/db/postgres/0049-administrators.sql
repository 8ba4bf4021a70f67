CREATE TRIGGER user_access_changed AFTER INSERT OR UPDATE OF role ON user_access
  FOR EACH ROW WHEN (new.role = 'administrator') EXECUTE FUNCTION count_option_change();
