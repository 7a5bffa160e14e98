import io.distributedid.testkit.Need

// Most of MySQL's tests again: they run where MySQL can't, so that no machine passes without a server of that family.
return Need.MYSQL.lack().isPresent()
