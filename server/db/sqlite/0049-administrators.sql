CREATE TRIGGER gallery_administrator_added AFTER INSERT ON user_access WHEN new.role = 'administrator'
BEGIN UPDATE gallery SET changes = changes + 1; END;

CREATE TRIGGER gallery_administrator_changed AFTER UPDATE OF role ON user_access WHEN new.role = 'administrator'
BEGIN UPDATE gallery SET changes = changes + 1; END;
